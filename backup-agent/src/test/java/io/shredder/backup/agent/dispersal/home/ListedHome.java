// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.home;

import io.shredder.backup.agent.storage.Storage;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** A local folder in whose listings there is a moment between what they say and when they say it. */
public final class ListedHome implements KeeperHome {

    private final LocalHome home;
    private volatile Step meanwhile = () -> {};

    /** What happens meanwhile. */
    @FunctionalInterface
    public interface Step {
        void run() throws IOException;
    }

    /** Nothing happens yet. */
    public ListedHome(Path folder) {
        this.home = new LocalHome(folder);
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
    public Optional<ByteBuffer> read(String file) throws IOException {
        return home.read(file);
    }

    @Override
    public Optional<Set<String>> names() throws IOException {
        return home.names();
    }

    @Override
    public String path(String file) {
        return home.path(file);
    }

    @Override
    public boolean isSameAs(KeeperHome other) {
        return equals(other);
    }

    @Override
    public HeldHome hold() throws IOException {
        HeldHome held = home.hold();
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

    @Override
    public String toString() {
        return home.toString();
    }
}
