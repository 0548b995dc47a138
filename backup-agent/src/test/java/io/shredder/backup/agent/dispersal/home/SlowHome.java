// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.home;

import io.shredder.backup.agent.storage.ReadableFile;
import io.shredder.backup.agent.storage.Storage;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A local folder in which every read takes longer, or doesn't end, as on a disk that dies. Nothing limits that. */
public final class SlowHome extends ChangedHome {

    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicLong readBytes = new AtomicLong();
    private volatile Duration delay = Duration.ZERO;
    private volatile CountDownLatch open = new CountDownLatch(0);

    /** Not slow yet. */
    public SlowHome(Path folder) {
        super(folder);
    }

    /** From now on each read takes so much longer. */
    public void slow(Duration longer) {
        delay = longer;
    }

    /** From now on no read ends. */
    public void hang() {
        open = new CountDownLatch(1);
    }

    /** Reads end, also those of before. */
    public void goOn() {
        delay = Duration.ZERO;
        open.countDown();
    }

    /** How many reads of open files were begun. */
    public int reads() {
        return reads.get();
    }

    /** How many bytes they were to bring. */
    public long readBytes() {
        return readBytes.get();
    }

    private void note(Object[] arguments) {
        reads.incrementAndGet();
        readBytes.addAndGet(arguments[0] instanceof ByteBuffer target ? target.remaining() : (int) arguments[1]);
    }

    private void await() {
        CountDownLatch until = open;
        try {
            TimeUnit.NANOSECONDS.sleep(delay.toNanos());
            until.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @SuppressWarnings("unchecked")
    private <T> T slow(Class<T> type, T real) {
        return (T) Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
            if (isRead(method)) {
                if (real instanceof ReadableFile) {
                    note(arguments);
                }
                await();
            }
            try {
                Object result = method.invoke(real, arguments);
                return result instanceof ReadableFile file ? slow(ReadableFile.class, file) : result;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
    }

    private static boolean isRead(Method method) {
        return Set.of("open", "readFully", "read").contains(method.getName());
    }

    @Override
    public HeldHome hold() throws IOException {
        HeldHome held = holdFolder();
        return new HeldOverStorage(held, slow(Storage.class, held.storage()));
    }
}
