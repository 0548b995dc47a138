// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.agent.storage.AppendableFile;
import io.shredder.backup.agent.storage.LocalStorage;
import io.shredder.backup.agent.storage.ReadableFile;
import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.agent.storage.StorageContract;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PatientStorageTest extends StorageContract {

    private static final Patience.Limits SHORT = new Patience.Limits(Duration.ofMillis(200), Duration.ofMillis(50));

    @TempDir
    private Path root;

    /** Closed while the storage hangs. */
    private volatile CountDownLatch open = new CountDownLatch(0);

    @Override
    protected Storage openEmpty(Path folder) throws IOException {
        Path there = Files.createDirectory(folder.resolve("there"));
        return new PatientStorage(new LocalStorage(there), new Patience("there", Patience.Limits.DEFAULT, () -> 1));
    }

    /** The same, and whatever it is asked hangs on and off. */
    @SuppressWarnings("unchecked")
    private <T> T hanging(Class<T> type, T real) {
        return (T) Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
            open.await();
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

    private PatientStorage hanging() {
        return new PatientStorage(hanging(Storage.class, new LocalStorage(root)), new Patience("there", SHORT, () -> {
            if (open.getCount() > 0) {
                throw new IOException("hangs");
            }
            return 1;
        }));
    }

    @Test
    void aReadThatComesTooLateLeavesTheReadersMemoryAlone() throws IOException {
        Files.write(root.resolve("file"), new byte[] {1, 2, 3});
        PatientStorage storage = hanging();
        ReadableFile file = storage.open("file");
        CountDownLatch hung = new CountDownLatch(1);
        open = hung;
        ByteBuffer target = ByteBuffer.allocate(3);
        assertThatThrownBy(() -> file.readFully(target, 0)).hasMessage("there didn't answer within 0.2 s");
        assertThatThrownBy(() -> file.readFully(target, 0)).hasMessageContaining("is not asked");
        hung.countDown();
        while (true) {
            try {
                assertThat(storage.size("file")).isEqualTo(3);
                break;
            } catch (IOException e) {
                Thread.onSpinWait();
            }
        }
        assertThat(target.position()).isZero();
        assertThat(target.array()).containsOnly(0);
        file.readFully(target, 0);
        assertThat(target.array()).containsExactly(1, 2, 3);
        file.close();
        storage.close();
    }

    @Test
    void aFileThatHungOnceIsNeverWrittenToAgain() throws IOException {
        PatientStorage storage = hanging();
        AppendableFile file = storage.create("file", ByteBuffer.wrap(new byte[] {1}));
        CountDownLatch hung = new CountDownLatch(1);
        open = hung;
        assertThatThrownBy(() -> file.append(ByteBuffer.wrap(new byte[] {2}))).hasMessageContaining("didn't answer");
        assertThat(file.isSound()).isFalse();
        assertThat(file.canGrow()).isFalse();
        hung.countDown();
        assertThatThrownBy(file::force).hasMessage("the file failed before");
        file.close();
        storage.close();
    }
}
