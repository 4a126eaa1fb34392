// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.Pid;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import shop.Till.Sale;

/**
 * Random payloads come back as they were, and random damage never does more than it may. The seed is in each message: put it into
 * {@code -Dproperty.seed} to run one again.
 */
class FormatPropertyTest {
    private static final long SEED = Long.getLong("property.seed", System.nanoTime());
    private static final int ROUNDS = 2_000;
    private static final int DEPTH_MAX = 4;
    private static final List<TimeUnit> UNITS = List.of(TimeUnit.values());

    private static Object payload(SplittableRandom random, int depth) {
        return switch (random.nextInt(depth == DEPTH_MAX ? 12 : 18)) {
            case 0 -> null;
            case 1 -> random.nextBoolean();
            case 2 -> random.nextInt() >> random.nextInt(32);
            case 3 -> random.nextLong() >> random.nextInt(64);
            case 4 -> random.nextDouble();
            case 5, 6 -> text(random);
            case 7 -> Pid.of("h" + random.nextInt(10), 1 + random.nextLong(Long.MAX_VALUE - 1));
            case 8 -> Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000));
            case 9 -> Duration.ofNanos(random.nextLong());
            case 10 -> UNITS.get(random.nextInt(UNITS.size()));
            case 11 -> new BigInteger(100, new java.util.Random(random.nextLong()));
            case 12 -> new ArrayList<>(payloads(random, depth));
            case 13 -> java.util.Collections.unmodifiableList(payloads(random, depth));
            case 14 -> new LinkedHashSet<>(payloads(random, depth));
            case 15 -> {
                var map = new LinkedHashMap<Object, Object>();
                payloads(random, depth).forEach(key -> map.put(key, payload(random, depth + 1)));
                yield map;
            }
            case 16 -> Optional.ofNullable(payload(random, depth + 1));
            default -> new Sale(text(random), random.nextInt(), List.of(text(random)));
        };
    }

    private static List<Object> payloads(SplittableRandom random, int depth) {
        var payloads = new ArrayList<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            payloads.add(payload(random, depth + 1));
        }
        return payloads;
    }

    /** All chars, halves of pairs too. */
    private static String text(SplittableRandom random) {
        var text = new StringBuilder();
        for (int i = random.nextInt(20); i > 0; i--) {
            text.append((char) (random.nextBoolean() ? random.nextInt(0x10000) : random.nextInt(' ', '~')));
        }
        return text.toString();
    }

    @Test
    void whenRandomPayloadsAreWritten_thenTheyAreReadAndMadeEqual() {
        var random = new SplittableRandom(SEED);
        var builder = new ValueBuilder(
                TypeFilter.DEFAULT.allow("shop.*"), List.of(), getClass().getClassLoader(), problem -> {
                    throw new AssertionError(problem);
                });
        var comparison = new ValueComparison(builder);
        for (int round = 0; round < ROUNDS; round++) {
            Object payload = payload(random, 0);
            Value value = ValueTest.written(payload);

            assertThat(builder.build(value))
                    .as("seed %d, round %d", SEED, round)
                    .isEqualTo(payload);
            assertThat(comparison.same(value, ValueTest.written(payload)))
                    .as("seed %d, round %d", SEED, round)
                    .isTrue();
            assertThat(ValueText.of(value).codePoints())
                    .as("seed %d, round %d", SEED, round)
                    .noneMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE);
        }
    }

    @Test
    void whenRandomFramesAreSpoiltAtRandom_thenWhatIsReadWasWrittenInOrder() {
        var random = new SplittableRandom(SEED);
        for (int round = 0; round < ROUNDS / 4; round++) {
            var file = new ByteOutput();
            var bodies = new ArrayList<byte[]>();
            file.raw(Frames.MAGIC);
            for (int i = random.nextInt(20); i > 0; i--) {
                var body = new ByteOutput();
                byte[] bytes = new byte[random.nextInt(100)];
                random.nextBytes(bytes);
                if (random.nextInt(4) == 0) { // a frame within a frame
                    var inner = new ByteOutput();
                    inner.raw(bytes);
                    Frames.append(body, inner);
                } else {
                    body.raw(bytes);
                }
                bodies.add(body.toBytes());
                Frames.append(file, body);
            }
            byte[] bytes = file.toBytes();
            boolean spoils = random.nextBoolean();
            if (spoils) {
                bytes[random.nextInt(bytes.length)] ^= (byte) (1 + random.nextInt(255));
            }
            String seed = "seed " + SEED + ", round " + round;
            var read = new ArrayList<byte[]>();
            var damaged = new int[1];
            Frames.scan(bytes, new Frames.Visitor() {
                private int last;

                @Override
                public void body(int offset, byte[] body) {
                    assertThat(offset).as(seed).isGreaterThanOrEqualTo(last);
                    last = offset + Frames.HEAD_LENGTH + body.length;
                    read.add(body);
                }

                @Override
                public void damage(int from, int to) {
                    assertThat(from).as(seed).isGreaterThanOrEqualTo(last).isLessThan(to);
                    last = to;
                    damaged[0] += to - from;
                }
            });
            assertThat(damaged[0] > 0).as(seed).isEqualTo(spoils);
            if (!spoils) {
                assertThat(read)
                        .as(seed)
                        .usingElementComparator(Arrays::compare)
                        .isEqualTo(bodies);
            }
            assertThat(read.size()).as(seed).isGreaterThanOrEqualTo(bodies.size() - 1);
        }
    }

    /** A checksum tells accidents from records; whoever makes a file on purpose gets it right. */
    @Test
    void whenABodyIsMadeUp_thenItIsReadOrRefusedAndNothingElse() {
        var random = new SplittableRandom(SEED);
        var format = new EntryFormat(new ValueWriter(List.of(), 1 << 16));
        int refused = 0;
        for (int round = 0; round < ROUNDS * 5; round++) {
            var out = new ByteOutput();
            Entry entry = new Entry.MessageIn(text(random), payload(random, 0), null, true, java.util.Map.of("a", 1));
            Body.write(out, format, new Body.Of(1 + random.nextInt(5), round, 0, entry));
            byte[] bytes = out.toBytes();
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            try {
                Body.read(bytes);
            } catch (FormatException e) {
                refused++;
            } catch (RuntimeException | Error e) {
                throw new AssertionError("seed " + SEED + ", round " + round, e);
            }
        }
        assertThat(refused).isPositive();
    }
}
