// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

/**
 * A small state machine that is <em>stepped</em>: it gets events, writes commands and a status, and returns.
 *
 * <p>A process has one address (its {@link Pid}), one mailbox, and is stepped by one thread at a time. It never blocks:
 * what it wants from the world it asks for with a {@link Command}, and goes on when the {@link Completion} arrives.
 *
 * <pre>{@code
 * final class Counter implements Process {
 *     private int total;
 *
 *     public void init(ProcessContext context, String method, Payloads input) {
 *         total = input.get(0, Integer.class);
 *     }
 *
 *     public void step(Events events, StepOutput out) {
 *         for (Event event : events) {
 *             if (event instanceof Message m && m.topic().equals("add")) {
 *                 total += m.payload(Integer.class);
 *                 out.done(total);
 *             }
 *         }
 *     }
 * }
 * }</pre>
 *
 * <p>The name shadows {@link java.lang.Process}: write {@code import dev.treadle.Process;}.
 *
 * <p><b>Threads.</b> {@code init} runs on the thread that submits the process; {@code step} and {@code close} run on a
 * worker, not always the same one. What one call wrote the next one sees: plain fields are enough.
 */
@SuppressWarnings("JavaLangClash") // the specification's own word
public interface Process {
    /**
     * Prepares the process. Called once, before anybody can see the process; if it throws, {@code submit} throws, {@link
     * #close} is called, and the process never was.
     *
     * @param context what the process may use while it lives; keep it in a field
     * @param method which of its entry points to run; refuse one that you do not know ({@link EntryPoints} does)
     * @param input the arguments
     * @throws Exception to refuse the method or the input
     */
    void init(ProcessContext context, String method, Payloads input) throws Exception;

    /**
     * Advances the state machine. The first step may come without events; later ones have at least one, unless the step
     * before said {@link StepOutput#again}.
     *
     * @param events what arrived since the last step, in order; valid only during this call
     * @param out takes the commands to run and what to do next; valid only during this call
     * @throws Exception whatever is thrown ends this process, and no other, with the throwable as its exit reason
     */
    void step(Events events, StepOutput out) throws Exception;

    /**
     * Releases what the process holds. Called exactly once for each process that {@link #init} was called on, whatever
     * happened to it.
     *
     * @throws Exception is reported, and changes nothing
     */
    default void close() throws Exception {}

    /**
     * Returns a process made of its step alone. It takes any method name and ignores its input.
     *
     * @param step the step
     */
    static Process of(StepFunction step) {
        return new StepProcess(step);
    }
}
