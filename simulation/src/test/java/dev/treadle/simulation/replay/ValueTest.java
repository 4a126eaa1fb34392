// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.Payloads;
import dev.treadle.Pid;
import dev.treadle.command.Call;
import java.io.IOException;
import java.io.Serializable;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import shop.Till.Sale;

/** Payloads are written, read, made again and compared. */
class ValueTest {
    private static final int BYTES_MAX = 1 << 16;

    private final List<String> problems = new ArrayList<>();

    static Value written(Object object, PayloadCodec... codecs) {
        var out = new ByteOutput();
        new ValueWriter(List.of(codecs), BYTES_MAX).write(out, object);
        try {
            var in = new ByteInput(out.toBytes());
            Value value = ValueReader.read(in);
            assertThat(in.left()).as("bytes that nobody read").isZero();
            return value;
        } catch (FormatException e) {
            throw new AssertionError(e);
        }
    }

    private Object made(Value value, TypeFilter filter, PayloadCodec... codecs) {
        return builder(filter, codecs).build(value);
    }

    private ValueBuilder builder(TypeFilter filter, PayloadCodec... codecs) {
        return new ValueBuilder(filter, List.of(codecs), ValueTest.class.getClassLoader(), problems::add);
    }

    private boolean same(Object a, Object b) {
        return new ValueComparison(builder(TypeFilter.DEFAULT)).same(written(a), written(b));
    }

    static Stream<Object> plain() {
        return Stream.of(
                true,
                false,
                (byte) -1,
                (short) 300,
                'ß',
                Integer.MIN_VALUE,
                Long.MAX_VALUE,
                Float.MIN_NORMAL,
                Double.NaN,
                -0.0,
                "",
                "two\nlines, 😀",
                "half a pair: \ud83d?",
                Pid.of("node-1", "host", 7),
                Instant.MAX,
                Duration.ofSeconds(-3, 5),
                TimeUnit.DAYS,
                UUID.fromString("6d1f4c1e-3f5a-4b7e-9b1e-0c6d2c1f2a33"),
                new BigDecimal("1234.50"),
                LocalDate.of(2026, 2, 28),
                List.of(),
                Arrays.asList(1, null, "x"),
                new ArrayList<>(List.of(List.of(1), Set.of(2))),
                new HashSet<>(Arrays.asList("a", null)),
                new TreeSet<>(List.of(3, 1, 2)),
                Map.of("k", List.of(1L)),
                new TreeMap<>(Map.of("b", 1, "a", 2)),
                Optional.empty(),
                Optional.of("it"),
                Payloads.of(1, null, "two"),
                new Sale("tea", 3, List.of("green")));
    }

    @ParameterizedTest
    @MethodSource("plain")
    void whenAPayloadIsWrittenAndMade_thenItIsEqual(Object payload) {
        Object made = made(written(payload), TypeFilter.DEFAULT.allow("shop.*"));

        assertThat(made).isEqualTo(payload).hasSameHashCodeAs(payload);
        assertThat(problems).isEmpty();
        assertThat(same(payload, payload)).isTrue();
        assertThat(same(payload, "something else")).isFalse();
    }

    @Test
    void whenItIsNullOrAnArray_thenItIsMadeToo() {
        assertThat(made(written(null), TypeFilter.DEFAULT)).isNull();
        assertThat(made(written(new byte[] {1, 2}), TypeFilter.DEFAULT)).isEqualTo(new byte[] {1, 2});
        assertThat(made(written(new long[] {1, 2}), TypeFilter.DEFAULT)).isEqualTo(new long[] {1, 2});
        assertThat(made(written(new String[] {"a", null}), TypeFilter.DEFAULT)).isEqualTo(new String[] {"a", null});
        assertThat(same(new long[] {1}, new long[] {2})).isFalse();
        assertThat(same(new byte[] {1}, new byte[] {2})).isFalse();
    }

    @Test
    void whenACollectionCanBeChanged_thenSoCanWhatIsMadeOfIt() {
        for (Object mutable : List.of(new ArrayList<>(), new HashSet<>(), new TreeSet<String>())) {
            @SuppressWarnings("unchecked")
            var made = (java.util.Collection<Object>) made(written(mutable), TypeFilter.DEFAULT);
            assertThat(made.add("more")).isTrue();
        }
        assertThat(made(written(new HashMap<>()), TypeFilter.DEFAULT)).isInstanceOf(HashMap.class);
        @SuppressWarnings("unchecked")
        var fixed = (List<Object>) made(written(List.of(1)), TypeFilter.DEFAULT);
        assertThatThrownBy(() -> fixed.add(2)).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void whenASortedSetHasAnOrderOfItsOwn_thenThatOrderIsKept() {
        var backwards = new TreeSet<String>(Comparator.reverseOrder());
        backwards.addAll(List.of("a", "b", "c"));

        assertThat((Iterable<?>) made(written(backwards), TypeFilter.DEFAULT))
                .map(Object::toString)
                .containsExactly("c", "b", "a");
    }

    @Test
    void whenSetsAndMapsComeInAnotherOrder_thenTheyAreTheSameAndListsAreNot() {
        Map<String, Integer> one = new LinkedHashMap<>();
        one.put("a", 1);
        one.put("b", 2);
        Map<String, Integer> other = new LinkedHashMap<>();
        other.put("b", 2);
        other.put("a", 1);

        assertThat(same(one, other)).isTrue();
        assertThat(same(one, Map.of("a", 2, "b", 1))).isFalse();
        assertThat(same(new HashSet<>(List.of(1, 2, 3)), Set.of(3, 2, 1))).isTrue();
        assertThat(same(Set.of(1, 2), Set.of(1, 3))).isFalse();
        assertThat(same(List.of(1, 2), List.of(2, 1))).isFalse();
        assertThat(same(List.of(1, 2), List.of(1))).isFalse();
        assertThat(same(1, 1L)).isFalse();
    }

    @Test
    void whenThrowablesAreCompared_thenClassAndMessageCountButNotTheStackNorIdentities() {
        assertThat(same(new IllegalStateException("at Foo@1a2b3c"), new IllegalStateException("at Foo@4d5e6f")))
                .isTrue();
        assertThat(same(new IllegalStateException("a"), new IllegalStateException("b")))
                .isFalse();
        assertThat(same(new IllegalStateException("a"), new RuntimeException("a")))
                .isFalse();
        Throwable made =
                (Throwable) made(written(new IOException("x", new RuntimeException("cause"))), TypeFilter.DEFAULT);
        assertThat(made).isInstanceOf(IOException.class).hasMessage("x").hasRootCauseMessage("cause");
    }

    @Test
    void whenAThrowableCannotBeSerialized_thenItsNameAndMessageAreLeft() {
        class Unwritable extends RuntimeException {
            @SuppressWarnings("unused")
            private final Object field = new Object();

            Unwritable() {
                super("odd");
            }
        }

        Object made = made(written(new Unwritable()), TypeFilter.DEFAULT);

        assertThat(made).isInstanceOf(RecordedFailure.class).hasToString(Unwritable.class.getName() + ": odd");
        assertThat(problems)
                .singleElement()
                .asString()
                .contains("is given as a RecordedFailure: it could not be serialized");
    }

    @Nested
    class GivenWhatIsRecordedAsText {
        @Test
        void whenAnObjectIsOfNoKnownKind_thenItsTextAndTheReasonAreLeft() {
            Object made = made(written(new Thread("odd one")), TypeFilter.DEFAULT);

            assertThat(made).isEqualTo(new PayloadText("java.lang.Thread", "any", "any"));
            PayloadText text = (PayloadText) made;
            assertThat(text.text()).contains("odd one");
            assertThat(text.why()).contains("neither a record nor serializable, and no codec handles it");
            assertThat(written(text)).as("it may be recorded again").isInstanceOf(Value.Text.class);
            assertThat(same(new Thread("a"), new Thread("b")))
                    .as("only the class counts")
                    .isTrue();
            assertThat(same(new Thread("a"), new Object())).isFalse();
        }

        @Test
        void whenACommandHoldsALambda_thenTheLambdaIsItsClassAlone() {
            assertThat(same(new Call(() -> 1), new Call(() -> 2))).isTrue();
            assertThat(same(new Call(() -> 1), new Call(Thread::new)))
                    .as("same class that made it")
                    .isTrue();
            assertThat(same((Serializable & Runnable) () -> {}, new Thread())).isFalse();
        }

        @Test
        void whenAPayloadIsTooLarge_thenItIsTextAndTheReasonNamesTheLimit() {
            Value value = written(List.of("x".repeat(BYTES_MAX)));

            assertThat(value).isInstanceOf(Value.Text.class);
            assertThat(((Value.Text) value).why()).isEqualTo("it takes more than " + BYTES_MAX + " bytes");
            assertThat(((Value.Text) value).text())
                    .hasSize(ValueWriter.TEXT_LENGTH_MAX + 1)
                    .endsWith("…");
            assertThat(written("x".repeat(BYTES_MAX - 10))).isInstanceOf(Value.Scalar.class);
        }

        @Test
        void whenAPayloadContainsItself_thenTheRecordingGoesOn() {
            var list = new ArrayList<Object>();
            list.add(list);

            assertThat(written(list)).isNotNull();
        }

        @Test
        void whenToStringOrAnAccessorThrows_thenTheRecordingGoesOn() {
            record Broken(int x) {
                @Override
                @SuppressWarnings("UnusedMethod") // the writer calls it
                public int x() {
                    throw new IllegalStateException("broken accessor");
                }

                @Override
                public String toString() {
                    throw new IllegalStateException("broken toString");
                }
            }

            Value.Text text = (Value.Text) written(new Broken(1));

            assertThat(text.why()).contains("reading its components failed");
            assertThat(text.text()).contains("broken toString");
            Value.Text error = (Value.Text) written(1, new ThreadCodec() {
                @Override
                public boolean handles(Object payload) {
                    throw new AssertionError("broken codec");
                }
            });
            assertThat(error.why()).contains("writing it failed with java.lang.AssertionError: broken codec");
        }
    }

    @Nested
    class GivenAFileThatIsNotTrusted {
        @Test
        void whenAClassIsNotAllowed_thenItIsNotMadeAndTheRemedyIsNamed() {
            Value record = written(new Sale("tea", 1, List.of()));

            assertThat(made(record, TypeFilter.DEFAULT)).isInstanceOf(PayloadText.class);
            assertThat(problems)
                    .singleElement()
                    .asString()
                    .contains(
                            "class shop.Till$Sale is not allowed: allow(\"shop.Till$Sale\") if you trust the recording");
            assertThat(made(record, TypeFilter.DEFAULT.allow("shop.Till"))).isInstanceOf(Sale.class);
            assertThat(made(record, TypeFilter.DEFAULT.allow("shop.**"))).isInstanceOf(Sale.class);
            assertThat(made(record, TypeFilter.DEFAULT.allow("sho.**"))).isInstanceOf(PayloadText.class);
            assertThat(made(record, TypeFilter.DEFAULT.allow("shop.Till$Charge")))
                    .isInstanceOf(PayloadText.class);
        }

        @Test
        void whenSomethingElseHidesInWhatIsAllowed_thenItIsNotMadeEither() {
            shop.Trap.sprung = 0; // another test may have set it off
            var hidden = new LinkedHashMap<String, Object>();
            hidden.put("key", new shop.Trap());
            var wrapped = new IllegalStateException("outer", new shop.Trap.Sprung());

            Object made = made(written(hidden), TypeFilter.DEFAULT);
            Object failure = made(written(wrapped), TypeFilter.DEFAULT);

            assertThat(((Map<?, ?>) made).get("key")).isInstanceOf(PayloadText.class);
            assertThat(failure).isInstanceOf(RecordedFailure.class);
            assertThat(shop.Trap.sprung).as("no code of it ran").isZero();
            made(written(new shop.Trap()), TypeFilter.DEFAULT.allow("shop.Trap"));
            assertThat(shop.Trap.sprung).as("it can run").isPositive();
        }

        @Test
        void whenAMapHasAddressesAsKeys_thenTheyAreNotMadeSinceTheirHashIsALookup() throws Exception {
            Object made = made(written(Map.of(URI.create("http://localhost/").toURL(), 1)), TypeFilter.DEFAULT);

            assertThat(((Map<?, ?>) made).keySet()).allMatch(PayloadText.class::isInstance);
        }

        @Test
        void whenAProxyIsSerialized_thenItIsNotMade() {
            Object proxy = Proxy.newProxyInstance(
                    ValueTest.class.getClassLoader(), new Class<?>[] {Comparable.class}, new shop.Trap.Handler());

            assertThat(made(
                            written(proxy),
                            TypeFilter.DEFAULT
                                    .allow("shop.**")
                                    .allow("jdk.proxy1.**")
                                    .allow("jdk.proxy2.**")))
                    .isInstanceOf(PayloadText.class);
        }

        @Test
        void whenANameIsThatOfAnArray_thenItsElementsDecide() {
            TypeFilter filter = TypeFilter.DEFAULT;

            assertThat(List.of("[J", "[[B", "[Ljava.lang.String;")).allMatch(filter::allows);
            assertThat(List.of("[Lshop.Trap;", "[", "[L", "[L;", "[Lx", "shop.[J.x"))
                    .noneMatch(filter::allows);
        }

        @Test
        void whenAPatternIsNone_thenItIsRefused() {
            for (String wrong : List.of("", "*", ".**", "com.acme*", "com acme.*")) {
                assertThatThrownBy(() -> TypeFilter.DEFAULT.allow(wrong))
                        .as(wrong)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("pattern was \"" + wrong + "\", must be the name of a class");
            }
        }

        @Test
        void whenARecordHasChanged_thenItIsTextAndTheReportSaysHow() {
            Value old = new Value.Structure("shop.Till$Sale", List.of("what"), List.of(new Value.Scalar("tea")));
            Value gone = new Value.Constant("java.util.concurrent.TimeUnit", "FORTNIGHTS");

            made(old, TypeFilter.DEFAULT.allow("shop.*"));
            made(gone, TypeFilter.DEFAULT);

            assertThat(problems.get(0))
                    .contains("shop.Till$Sale had components [what], now it has [what, cents, tags]");
            assertThat(problems.get(1)).contains("java.util.concurrent.TimeUnit has no constant FORTNIGHTS now");
        }
    }

    /** Writes threads by their names. */
    private static class ThreadCodec implements PayloadCodec {
        @Override
        public String name() {
            return "threads";
        }

        @Override
        public boolean handles(Object payload) {
            return payload instanceof Thread;
        }

        @Override
        public byte[] encode(Object payload) throws IOException {
            String name = ((Thread) payload).getName();
            if (name.isEmpty()) {
                throw new IOException("no name");
            }
            return name.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public Object decode(String type, byte[] bytes) {
            return new Thread(new String(bytes, StandardCharsets.UTF_8));
        }
    }

    @Test
    void whenACodecHandlesAType_thenItIsUsedInsideOfOthersToo() {
        Value value = written(List.of(new Thread("spun")), new ThreadCodec());

        Object made = made(value, TypeFilter.DEFAULT, new ThreadCodec());

        assertThat(((Thread) ((List<?>) made).get(0)).getName()).isEqualTo("spun");
        assertThat(made(value, TypeFilter.DEFAULT)).isEqualTo(List.of(new PayloadText("java.lang.Thread", "", "")));
        assertThat(problems)
                .singleElement()
                .asString()
                .contains("codec \"threads\" wrote it: give that codec to the replay");
        assertThat(((Value.Text) written(new Thread(""), new ThreadCodec())).why())
                .contains("codec \"threads\" failed with java.io.IOException: no name");
    }
}
