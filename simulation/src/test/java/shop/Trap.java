// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package shop;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;

/** Code that runs when it is read from a file. */
public final class Trap implements Serializable {
    private static final long serialVersionUID = 1L;

    /** How often that was. */
    @SuppressWarnings("NonFinalStaticField") // one test looks at it
    public static int sprung;

    private void readObject(ObjectInputStream stream) throws IOException, ClassNotFoundException {
        stream.defaultReadObject();
        sprung++;
    }

    /** A cause that is one. */
    public static final class Sprung extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private void readObject(ObjectInputStream stream) throws IOException, ClassNotFoundException {
            stream.defaultReadObject();
            sprung++;
        }
    }

    /** What stands behind a proxy. */
    public static final class Handler implements InvocationHandler, Serializable {
        private static final long serialVersionUID = 1L;

        @Override
        public Object invoke(Object proxy, Method method, Object[] args) {
            return method.getName().equals("toString") ? "proxy" : null;
        }
    }
}
