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

/** A local folder in which what is appended is not found before it is shown, forced or closed, as on HDFS. */
public final class LateHome extends ChangedHome {

    public LateHome(Path folder) {
        super(folder);
    }

    @Override
    public HeldHome hold() throws IOException {
        HeldHome held = holdFolder();
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
