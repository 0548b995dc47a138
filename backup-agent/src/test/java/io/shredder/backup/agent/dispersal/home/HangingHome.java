// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.home;

import io.shredder.backup.agent.storage.AppendableFile;
import io.shredder.backup.agent.storage.ReadableFile;
import io.shredder.backup.agent.storage.Storage;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;

/** A local folder that can be made to hang, and is asked with {@link Patience}, as one elsewhere. */
public final class HangingHome implements KeeperHome {

    private final LocalHome home;
    private final Patience patience;
    private volatile CountDownLatch open = new CountDownLatch(0);

    /** Doesn't hang yet. */
    public HangingHome(Path folder, Duration limit) {
        this.home = new LocalHome(folder);
        this.patience = new Patience("keeper " + folder, new Patience.Limits(limit, Duration.ofMillis(50)), () -> {
            await();
            return 1;
        });
    }

    /** From now on no question is answered. */
    public void hang() {
        open = new CountDownLatch(1);
    }

    /** Answers, also what was asked before. */
    public void goOn() {
        open.countDown();
    }

    private void await() {
        CountDownLatch until = open;
        boolean interrupted = false;
        while (true) {
            try {
                until.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true; // It hangs all the same.
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @SuppressWarnings("unchecked")
    private <T> T hanging(Class<T> type, T real) {
        return (T) Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
            if (!method.getName().equals("ask")) { // Which doesn't wait.
                await();
            }
            try {
                Object result = method.invoke(real, arguments);
                if (result instanceof ReadableFile file) {
                    return hanging(ReadableFile.class, file);
                }
                return result instanceof AppendableFile file ? hanging(AppendableFile.class, file) : result;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
    }

    @Override
    public Optional<ByteBuffer> read(String file) throws IOException {
        return patience.ask(() -> {
            await();
            return home.read(file);
        });
    }

    @Override
    public Optional<Set<String>> names() throws IOException {
        return patience.ask(() -> {
            await();
            return home.names();
        });
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
        HeldHome held = patience.ask(home::hold);
        return new Held(held, new PatientStorage(hanging(Storage.class, held.storage()), patience), patience);
    }

    @Override
    public String toString() {
        return home.toString();
    }

    private static final class Held extends HeldOverStorage {

        private final Patience patience;

        private Held(HeldHome held, Storage storage, Patience patience) {
            super(held, storage);
            this.patience = patience;
        }

        @Override
        public SignOfLife signOfLife() {
            return patience.signOfLife();
        }

        @Override
        public void endWriting(String folder, Predicate<String> mayBeOpen) {}

        @Override
        public void close() throws IOException {
            storage().close();
            super.close();
        }
    }
}
