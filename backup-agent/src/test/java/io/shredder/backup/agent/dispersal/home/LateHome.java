// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.home;

import io.shredder.backup.agent.storage.AppendableFile;
import io.shredder.backup.agent.storage.Storage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** A local folder in which what is appended is not found before it is shown, forced or closed, as on HDFS. */
public final class LateHome implements KeeperHome {

    private final LocalHome home;

    public LateHome(Path folder) {
        this.home = new LocalHome(folder);
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
        Storage storage = (Storage) Proxy.newProxyInstance(
                LateHome.class.getClassLoader(), new Class<?>[] {Storage.class}, (proxy, method, arguments) -> {
                    try {
                        Object result = method.invoke(held.storage(), arguments);
                        return result instanceof AppendableFile file ? new Late(file) : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        return new HeldOverStorage(held, storage);
    }

    @Override
    public String toString() {
        return home.toString();
    }

    private static final class Late implements AppendableFile {

        private final AppendableFile file;
        private final ByteArrayOutputStream hidden = new ByteArrayOutputStream();

        Late(AppendableFile file) {
            this.file = file;
        }

        @Override
        public void append(ByteBuffer bytes) {
            while (bytes.hasRemaining()) {
                hidden.write(bytes.get());
            }
        }

        @Override
        public void writeBehind() {}

        @Override
        public void show() throws IOException {
            file.append(ByteBuffer.wrap(hidden.toByteArray()));
            hidden.reset();
        }

        @Override
        public void force() throws IOException {
            show();
            file.force();
        }

        @Override
        public boolean showsAtOnce() {
            return false;
        }

        @Override
        public boolean canGrow() {
            return file.canGrow();
        }

        @Override
        public boolean isSound() {
            return file.isSound();
        }

        @Override
        public void close() throws IOException {
            show();
            file.close();
        }
    }
}
