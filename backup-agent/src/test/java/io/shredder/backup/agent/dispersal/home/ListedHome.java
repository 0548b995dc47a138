// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.home;

import io.shredder.backup.agent.storage.Storage;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;

/** A local folder in whose listings there is a moment between what they say and when they say it. */
public final class ListedHome extends ChangedHome {

    private volatile Step meanwhile = () -> {};

    /** What happens meanwhile. */
    @FunctionalInterface
    public interface Step {
        void run() throws IOException;
    }

    /** Nothing happens yet. */
    public ListedHome(Path folder) {
        super(folder);
    }

    /** Happens in the next listing, once. */
    public void meanwhile(Step step) {
        meanwhile = step;
    }

    private Object listed(Object result) throws IOException {
        Step step = meanwhile;
        meanwhile = () -> {};
        step.run();
        return result;
    }

    @Override
    public HeldHome hold() throws IOException {
        HeldHome held = holdFolder();
        Storage real = held.storage();
        Class<?>[] storage = {Storage.class};
        Object listing = Proxy.newProxyInstance(Storage.class.getClassLoader(), storage, (proxy, method, arguments) -> {
            try {
                Object result = method.invoke(real, arguments);
                return method.getName().equals("list") ? listed(result) : result;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
        return new HeldOverStorage(held, (Storage) listing);
    }
}
