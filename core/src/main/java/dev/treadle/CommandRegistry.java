// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.Director.HandlerKind;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Which {@link Handler} does the work of which {@link Command}. Filled before a scheduler starts, and frozen by it.
 *
 * <pre>{@code
 * var registry = new CommandRegistry()
 *         .registerFunction(Now.class, now -> Instant.now())
 *         .register(Tick.class, (tick, receiver) -> clock.onNextTick(receiver::complete))
 *         .registerAsync(Fetch.class, fetch -> http.sendAsync(fetch.request(), ofString()))
 *         .registerBlocking(Query.class, query -> database.run(query.sql()));
 * }</pre>
 */
public final class CommandRegistry {
    /** How many calls of one blocking function run at once, unless its registration says otherwise. */
    public static final int BLOCKING_LIMIT_DEFAULT = 64;

    /** How many calls of one blocking function wait for others to finish, unless its registration says otherwise. */
    public static final int BLOCKING_WAITING_MAX = 65_536;

    private final Map<Class<?>, Registered> registrations = new LinkedHashMap<>();
    private boolean frozen;

    /** Makes an empty registry. */
    public CommandRegistry() {}

    /**
     * Registers a handler that runs on the worker. It must be quick: answer on the spot, or start something that answers
     * later.
     *
     * @throws IllegalArgumentException if the command has a handler already
     * @throws IllegalStateException if a scheduler has started with this registry
     */
    public <C extends Command> CommandRegistry register(Class<C> command, Handler<? super C> handler) {
        Objects.requireNonNull(handler, () -> "handler of " + command + " is null: give the handler");
        return add(command, HandlerKind.QUICK, (threads, bindings) -> erase(handler));
    }

    /**
     * Registers a function whose result is the answer. It runs on the worker and must be quick. The least that a command can
     * cost: what it throws fails the yield.
     *
     * @throws IllegalArgumentException if the command has a handler already
     * @throws IllegalStateException if a scheduler has started with this registry
     */
    public <C extends Command> CommandRegistry registerFunction(Class<C> command, QuickFunction<? super C> function) {
        Objects.requireNonNull(function, () -> "function of " + command + " is null: give the function");
        var handler = new FunctionHandler<C>(function);
        return add(command, HandlerKind.QUICK, (threads, bindings) -> erase(handler));
    }

    /**
     * Registers a handler that is called only while a limit has room for the command. The command takes its room until the
     * handler answers, so it has to, also after a cancel. If there is room at once it is called on the worker, else on the
     * thread that answered another command; it must be quick.
     *
     * @param limit how many are worked on at once, and how many wait; beyond it the yield fails with a {@link
     *     CommandOverloadException}
     * @throws IllegalArgumentException if the command has a handler already
     * @throws IllegalStateException if a scheduler has started with this registry
     */
    public <C extends Command> CommandRegistry register(Class<C> command, CallLimit limit, Handler<? super C> handler) {
        requireLimit(command, limit);
        Objects.requireNonNull(handler, () -> "handler of " + command + " is null: give the handler");
        return add(
                command,
                HandlerKind.ASYNC, // what answers on the spot needs no limit
                (threads, bindings) -> erase(new LimitedHandler<C>(command, limit, handler, bindings)));
    }

    /**
     * Registers a function that starts something and returns its future. It runs on the worker and must be quick. The
     * yield completes as the stage does; if nobody wants the answer any more, the stage is cancelled.
     *
     * @throws IllegalArgumentException if the command has a handler already
     * @throws IllegalStateException if a scheduler has started with this registry
     */
    public <C extends Command> CommandRegistry registerAsync(Class<C> command, AsyncFunction<? super C> function) {
        Objects.requireNonNull(function, () -> "function of " + command + " is null: give the function");
        var handler = new AsyncHandler<C>(function);
        return add(command, HandlerKind.ASYNC, (threads, bindings) -> erase(handler));
    }

    /**
     * Registers a function that starts something and returns its future, with a limit on how many are not complete. As {@link
     * #register(Class, CallLimit, Handler)} otherwise.
     *
     * @throws IllegalArgumentException if the command has a handler already
     * @throws IllegalStateException if a scheduler has started with this registry
     */
    public <C extends Command> CommandRegistry registerAsync(
            Class<C> command, CallLimit limit, AsyncFunction<? super C> function) {
        Objects.requireNonNull(function, () -> "function of " + command + " is null: give the function");
        return register(command, limit, new AsyncHandler<>(function));
    }

    /**
     * Registers a function that may block. It runs off the workers, on virtual threads where the JVM has them; at most
     * {@value #BLOCKING_LIMIT_DEFAULT} calls at once, the others wait. If nobody wants the answer any more, its thread is
     * interrupted.
     *
     * @throws IllegalArgumentException if the command has a handler already
     * @throws IllegalStateException if a scheduler has started with this registry
     */
    public <C extends Command> CommandRegistry registerBlocking(
            Class<C> command, BlockingFunction<? super C> function) {
        return registerBlocking(command, BLOCKING_LIMIT_DEFAULT, function);
    }

    /**
     * Registers a function that may block, with a limit of its own.
     *
     * @param limit how many calls run at once; those beyond wait, and beyond {@link #BLOCKING_WAITING_MAX} waiting ones
     *     the yield fails with a {@link CommandOverloadException}
     * @throws IllegalArgumentException if the command has a handler already, or the limit is not positive
     * @throws IllegalStateException if a scheduler has started with this registry
     */
    public <C extends Command> CommandRegistry registerBlocking(
            Class<C> command, int limit, BlockingFunction<? super C> function) {
        Objects.requireNonNull(function, () -> "function of " + command + " is null: give the function");
        if (limit < 1) {
            throw new IllegalArgumentException("limit of " + command.getTypeName() + " was " + limit
                    + ", must be at least 1: it is how many calls run at once");
        }
        return addBlocking(
                command, () -> CallLimit.of(limit, BLOCKING_WAITING_MAX), (each, call) -> function.call(each));
    }

    /**
     * Registers a function that may block, with a limit that others may share, and that says itself how it is stopped. The
     * plain forms above are the simple case: an interrupt stops the call, and the limit is its own, one for each scheduler.
     *
     * <pre>{@code
     * registry.registerBlocking(Render.class, CallLimit.of(2, 100), (render, call) -> {
     *     Renderer renderer = new Renderer(render.scene());
     *     call.stopBy(renderer::abort); // it does not hear an interrupt
     *     return renderer.run();
     * });
     * }</pre>
     *
     * @param limit how many calls run at once, and how many wait; beyond it the yield fails with a {@link
     *     CommandOverloadException}
     * @throws IllegalArgumentException if the command has a handler already
     * @throws IllegalStateException if a scheduler has started with this registry
     */
    public <C extends Command> CommandRegistry registerBlocking(
            Class<C> command, CallLimit limit, StoppableFunction<? super C> function) {
        requireLimit(command, limit);
        Objects.requireNonNull(function, () -> "function of " + command + " is null: give the function");
        return addBlocking(command, () -> limit, function);
    }

    /** Asks for the limit once for each scheduler. */
    private <C extends Command> CommandRegistry addBlocking(
            Class<C> command, Supplier<CallLimit> limit, StoppableFunction<? super C> function) {
        return add(
                command,
                HandlerKind.BLOCKING,
                (threads, bindings) ->
                        erase(new BlockingHandler<C>(command, limit.get(), function, threads, bindings)));
    }

    private static void requireLimit(Class<?> command, CallLimit limit) {
        Objects.requireNonNull(
                limit, () -> "limit of " + command + " is null: give one with CallLimit.of, or leave it out");
    }

    private synchronized CommandRegistry add(
            Class<? extends Command> command, HandlerKind kind, Registration registration) {
        Objects.requireNonNull(command, "command is null: give the class of the command");
        if (frozen) {
            throw new IllegalStateException(
                    "handler for " + command.getTypeName()
                            + " came too late, the registry is frozen since a scheduler started with it: register before start()");
        }
        if (registrations.putIfAbsent(command, new Registered(kind, registration)) != null) {
            throw new IllegalArgumentException("command " + command.getTypeName()
                    + " has a handler already, it can have one: remove one of the two registrations");
        }
        return this;
    }

    /** A scheduler that starts: takes no more registrations, and makes the handlers. */
    synchronized HandlerTable freeze(
            Map<Class<?>, Handler<Command>> builtIn,
            BlockingThreads threads,
            Bindings bindings,
            @Nullable CommandGate gate,
            @Nullable Director director) {
        frozen = true;
        var handlers = new LinkedHashMap<>(builtIn);
        registrations.forEach(
                (command, made) -> handlers.put(command, made.registration().handler(threads, bindings)));
        if (director != null) {
            direct(handlers, director);
        }
        return new HandlerTable(handlers, gate);
    }

    /** Puts the director between the commands and their handlers. */
    private void direct(Map<Class<?>, Handler<Command>> handlers, Director director) {
        for (Class<?> standIn : director.standIns()) {
            handlers.putIfAbsent(standIn, (command, receiver) -> {
                throw new UnknownCommandException(command.getClass());
            });
        }
        handlers.replaceAll((type, own) -> {
            Registered made = registrations.get(type);
            HandlerKind kind = made != null ? made.kind() : BuiltInHandlers.kind(type);
            return (command, receiver) -> director.handle(command, receiver, kind, own);
        });
    }

    /** Returns the handler as one of any command: the table hands it only those of the class that it stands under. */
    @SuppressWarnings("unchecked")
    private static <C extends Command> Handler<Command> erase(Handler<? super C> handler) {
        return (Handler<Command>) handler;
    }

    /** A registration, and of which kind it is. */
    private record Registered(HandlerKind kind, Registration registration) {}

    /** Makes the handler for one scheduler. */
    private interface Registration {
        Handler<Command> handler(BlockingThreads threads, Bindings bindings);
    }

    /**
     * Answers a command on the spot.
     *
     * @param <C> the command
     */
    @FunctionalInterface
    public interface QuickFunction<C extends Command> {
        /**
         * Answers. A worker calls it, for many processes at once.
         *
         * @return the result, or null
         * @throws Exception fails the yield
         */
        @Nullable
        Object call(C command) throws Exception;
    }

    /**
     * Starts work for a command.
     *
     * @param <C> the command
     */
    @FunctionalInterface
    public interface AsyncFunction<C extends Command> {
        /**
         * Starts the work, and returns its future.
         *
         * @throws Exception fails the yield
         */
        CompletionStage<?> start(C command) throws Exception;
    }

    /**
     * Does the work of a command, and may block while it does.
     *
     * @param <C> the command
     */
    @FunctionalInterface
    public interface BlockingFunction<C extends Command> {
        /**
         * Does the work.
         *
         * @return the result, or null
         * @throws Exception fails the yield
         */
        @Nullable
        Object call(C command) throws Exception;
    }

    /**
     * Does the work of a command, may block while it does, and says how it is to be stopped.
     *
     * @param <C> the command
     */
    @FunctionalInterface
    public interface StoppableFunction<C extends Command> {
        /**
         * Does the work.
         *
         * @param call says how it is stopped, and whether it was
         * @return the result, or null
         * @throws Exception fails the yield
         */
        @Nullable
        Object call(C command, BlockingCall call) throws Exception;
    }
}
