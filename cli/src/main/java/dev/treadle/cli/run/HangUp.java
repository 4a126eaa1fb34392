// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.run;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/** Hears SIGHUP, where there is such a signal. */
final class HangUp {
    private HangUp() {}

    /**
     * Calls an action at each SIGHUP, on a thread of the JVM's.
     *
     * @return whether there is such a signal here, and it is heard
     */
    static boolean listen(Runnable action) {
        // By reflection: the compiler warns of this class, and there is no other way to hear of a signal.
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            InvocationHandler calls = (proxy, method, arguments) -> switch (method.getName()) {
                case "handle" -> {
                    action.run();
                    yield null;
                }
                case "equals" -> proxy == arguments[0];
                case "hashCode" -> System.identityHashCode(proxy);
                default -> "treadle reload";
            };
            Object proxy = Proxy.newProxyInstance(HangUp.class.getClassLoader(), new Class<?>[] {handler}, calls);
            Object before = signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance("HUP"), proxy);
            return before != handler.getField("SIG_IGN").get(null); // as under nohup: the JVM leaves it ignored
        } catch (ReflectiveOperationException e) {
            return false; // as on Windows, or where the JVM was told to leave signals alone
        }
    }
}
