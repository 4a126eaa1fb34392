// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Pid;
import dev.treadle.ProcessContext;
import dev.treadle.ProcessRef;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Stands between a process and what its {@link NodeContext} does: a {@link ProcessContext} that implements this is asked to make
 * each call. For tools that wrap a process, such as a recorder, which makes the call and notes it, or a replay, which answers as was
 * noted and makes none. The thread of the process only.
 */
public interface NodeCalls {
    /**
     * Makes a call, or answers it.
     *
     * @param method the method of the {@link NodeContext}
     * @param arguments what it was given, as values: no object of the node's is among them, but payloads may be
     * @param call makes the call
     * @param toPlain makes a value of its result
     * @param fromPlain makes a result of such a value
     * @return the result of the call, or one that was made of a value
     */
    <T> T call(
            String method,
            List<?> arguments,
            Supplier<T> call,
            Function<? super T, Object> toPlain,
            Function<Object, T> fromPlain);

    /** Returns a reference to a process, for a result that is made of a value. */
    ProcessRef ref(Pid pid);
}
