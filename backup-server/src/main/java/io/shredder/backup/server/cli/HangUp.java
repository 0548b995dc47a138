// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/**
 * SIGHUP. The JDK's only way to it, {@code sun.misc.Signal} of the module {@code jdk.unsupported}, is there to be used
 * until there is another, but the compiler warns of it: so it is reached by its name.
 */
final class HangUp {

    private HangUp() {}

    /** Has each SIGHUP run the work, on a thread of the JVM's own, one at a time. */
    static void handle(Runnable work) throws IOException {
        InvocationHandler handler = (proxy, method, arguments) -> switch (method.getName()) {
            case "handle" -> {
                synchronized (HangUp.class) {
                    work.run();
                }
                yield null;
            }
            case "hashCode" -> System.identityHashCode(proxy);
            case "equals" ->
                arguments.length == 1 && System.identityHashCode(proxy) == System.identityHashCode(arguments[0]);
            default -> "SIGHUP";
        };
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
            Object proxy = Proxy.newProxyInstance(HangUp.class.getClassLoader(), new Class<?>[] {handlerType}, handler);
            signal.getMethod("handle", signal, handlerType)
                    .invoke(null, signal.getConstructor(String.class).newInstance("HUP"), proxy);
        } catch (ReflectiveOperationException e) {
            throw new IOException("this Java can't handle SIGHUP: use one with the module jdk.unsupported", e);
        }
    }
}
