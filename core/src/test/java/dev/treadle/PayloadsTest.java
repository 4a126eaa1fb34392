// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class PayloadsTest {
    private static final String TYPE_REMEDY = ": pass that type, or ask for the one that was passed";

    /** A value whose text nobody may ask for. */
    private static final class Secret {
        @Override
        public String toString() {
            throw new UnsupportedOperationException("not for printing");
        }
    }

    @Nested
    class GivenArguments {
        private final Payloads payloads = Payloads.of(40, "two", null, List.of(4));

        @Test
        void whenAskedByType_thenTheValueIsThere() {
            assertThat(payloads.get(0, Integer.class)).isEqualTo(40);
            assertThat(payloads.get(0, int.class))
                    .as("a primitive asks for its wrapper")
                    .isEqualTo(40);
            assertThat(payloads.get(0, Number.class)).as("a supertype will do").isEqualTo(40);
            assertThat(payloads.get(1, CharSequence.class)).isEqualTo("two");
            assertThat(payloads.get(3, Iterable.class) == payloads.get(3)).isTrue();
            assertThat(payloads.get(2)).isNull();
            assertThat(payloads.size()).isEqualTo(4);
            assertThat(payloads.isEmpty()).isFalse();
        }

        /** The message says which argument, what it was, and what was expected. */
        @Test
        void whenAskedForAnotherType_thenTheMessageSaysWhichWhatAndWhatElse() {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> payloads.get(0, String.class))
                    .withMessage("argument 0 of 4 was java.lang.Integer 40, must be a java.lang.String" + TYPE_REMEDY);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> payloads.get(1, long.class))
                    .withMessage(
                            "argument 1 of 4 was java.lang.String \"two\", must be a java.lang.Long" + TYPE_REMEDY);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> payloads.get(2, String.class))
                    .withMessage("argument 2 of 4 was null, must be a java.lang.String" + TYPE_REMEDY);
        }

        @Test
        void whenThereIsNoSuchArgument_thenTheMessageSaysWhichThereAre() {
            for (int index : new int[] {-1, 4, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
                String message = "argument " + index + " was asked for, but only 0 to 3 were given:"
                        + " pass it to submit or spawn, after the method";
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> payloads.get(index))
                        .withMessage(message);
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> payloads.get(index, String.class))
                        .withMessage(message);
            }
        }

        @Test
        void whenAskedForNoType_thenItIsRefused() {
            assertThatNullPointerException()
                    .isThrownBy(() -> payloads.get(0, null))
                    .withMessage("type is null: pass the class that is expected, such as String.class");
        }

        @Test
        void whenTheListIsChanged_thenItIsRefused() {
            assertThat(payloads.asList()).containsExactly(40, "two", null, List.of(4));
            assertThatThrownBy(() -> payloads.asList().set(0, 41)).isInstanceOf(UnsupportedOperationException.class);
        }

        @Test
        void whenTheArrayIsChangedAfterwards_thenTheArgumentsAreNot() {
            Object[] array = {1, 2};
            Payloads copy = Payloads.of(array);
            array[0] = 99;
            assertThat(copy.get(0)).isEqualTo(1);
        }

        @Test
        void whenCompared_thenTheValuesCount() {
            assertThat(payloads)
                    .isEqualTo(Payloads.of(40, "two", null, List.of(4)))
                    .hasSameHashCodeAs(Payloads.of(40, "two", null, List.of(4)))
                    .isNotEqualTo(Payloads.of(40, "two"))
                    .isNotEqualTo(Arrays.asList(40, "two", null, List.of(4)))
                    .hasToString("[40, two, null, [4]]");
        }
    }

    @Nested
    class GivenNoArguments {
        @Test
        void whenAskedForOne_thenTheMessageSaysThatNoneWereGiven() {
            assertThat(Payloads.of()).isSameAs(Payloads.empty());
            assertThat(Payloads.empty().isEmpty()).isTrue();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Payloads.empty().get(0, int.class))
                    .withMessage("argument 0 was asked for, but none were given:"
                            + " pass it to submit or spawn, after the method");
        }

        @Test
        void whenTheArrayIsNull_thenItIsRefused() {
            assertThatNullPointerException()
                    .isThrownBy(() -> Payloads.of((Object[]) null))
                    .withMessage("the array of arguments is null: leave it out to pass none");
        }
    }

    @Nested
    class GivenValuesThatAreHardToShow {
        @Test
        void whenThePrintFails_thenOnlyTheTypeIsShown() {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Payloads.of(new Secret()).get(0, String.class))
                    .withMessageContaining("argument 0 of 1 was dev.treadle.PayloadsTest$Secret, must be");
        }

        @Test
        void whenATextIsLong_thenItsBeginningIsShown() {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Payloads.of("x".repeat(40)).get(0, int.class))
                    .withMessageContaining("\"" + "x".repeat(40) + "\"");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Payloads.of("x".repeat(41)).get(0, int.class))
                    .withMessageContaining("\"" + "x".repeat(40) + "…\"");
        }
    }

    /** The payload of a message and the result of a command are cast by the same rules. */
    @Nested
    class GivenAnEvent {
        @Test
        void whenThePayloadOfAMessageIsOfAnotherType_thenTheMessageNamesTheTopic() {
            Message message = Message.of("add", "two");
            assertThat(message.payload(String.class)).isEqualTo("two");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> message.payload(int.class))
                    .withMessage("payload of message \"add\" was java.lang.String \"two\", must be a java.lang.Integer"
                            + TYPE_REMEDY);
            assertThat(message).hasToString("Message[add, java.lang.String \"two\"]");
            assertThat(Message.of("add", new Secret(), Pid.of("main", 1)))
                    .hasToString("Message[add, dev.treadle.PayloadsTest$Secret, from {main|1}]");
        }

        @Test
        void whenTheResultOfACommandIsOfAnotherType_thenTheMessageNamesTheTag() {
            Completion completion = Completion.of(7, 2L, null);
            assertThat(completion.data(long.class)).isEqualTo(2L);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> completion.data(int.class))
                    .withMessage("result of the command with tag 7 was java.lang.Long 2, must be a java.lang.Integer"
                            + TYPE_REMEDY);
            assertThat(completion).hasToString("Completion[7, java.lang.Long 2]");
        }

        @Test
        void whenTheCommandFailed_thenItsResultIsRefusedWithTheCause() {
            Throwable error = Thrown.UNPRINTABLE.throwable();
            Completion failed = Completion.of(7, null, error);
            assertThat(failed.isFailed()).isTrue();
            assertThatThrownBy(() -> failed.data(int.class))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("command with tag 7 failed and has no result: look at error() before data()")
                    .satisfies(e -> assertThat(e.getCause() == error).isTrue());
            assertThat(failed).hasToString("Completion[7, failed with dev.treadle.Thrown$Unprintable]");
        }
    }
}
