// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.move;

import io.shredder.backup.agent.storage.Storage;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** A storage, or a file of it, at each call of which something else may happen. */
final class InstrumentedStorage {

    private static final Set<String> CHANGES =
            Set.of("create", "replace", "publish", "delete", "cut", "force", "endWriting");

    private InstrumentedStorage() {}

    /** The call itself. */
    interface Call {
        Object make() throws Throwable;
    }

    /** What happens instead of a call. */
    interface Instead {
        Object call(String method, Object[] arguments, Call call) throws Throwable;
    }

    static Storage of(Storage storage, Instead instead) {
        return of(Storage.class, storage, instead);
    }

    static <T> T of(Class<T> type, T object, Instead instead) {
        Object proxy = Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) ->
                        instead.call(method.getName(), arguments == null ? new Object[0] : arguments, () -> {
                            try {
                                return method.invoke(object, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        }));
        return type.cast(proxy);
    }

    /**
     * A storage whose process dies in one of its changes, before it is made or after it; all fail from then on. Whoever
     * closes it closes nothing.
     *
     * @param halves how many more halves of changes there are; shared by all that die together
     */
    static Storage dying(Storage storage, AtomicInteger halves) {
        return of(storage, (method, arguments, call) -> {
            if (method.equals("close")) {
                return null;
            }
            boolean change = CHANGES.contains(method);
            dieIf(change && halves.decrementAndGet() < 0);
            Object result = call.make();
            dieIf(change && halves.decrementAndGet() < 0);
            return result;
        });
    }

    private static void dieIf(boolean dies) throws IOException {
        if (dies) {
            throw new IOException("died");
        }
    }
}
