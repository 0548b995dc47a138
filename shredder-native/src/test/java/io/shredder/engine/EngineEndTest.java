// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.chunk.ChunkingParams;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How chunking ends before its time: interrupts, sinks that fail, sources that hang, views that are kept. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EngineEndTest {

    private static final ChunkingParams PARAMS = ChunkingParams.ofAverage(1 << 10);

    @TempDir
    Path folder;

    /** Gives bytes until it hangs, deaf to interrupts, until it is let go; then fills the buffer it was given. */
    private static final class DeafSource implements ReadableByteChannel {
        final CountDownLatch hangs = new CountDownLatch(1);
        final CountDownLatch letGo = new CountDownLatch(1);
        final CountDownLatch wrote = new CountDownLatch(1);
        private int left = 100_000;

        @Override
        public int read(ByteBuffer target) {
            if (left == 0) {
                hangs.countDown();
                awaitDeaf();
            }
            int count = Math.min(target.remaining(), left == 0 ? Integer.MAX_VALUE : left);
            target.put(new byte[count]);
            if (left == 0) {
                wrote.countDown();
            }
            left = Math.max(0, left - count);
            return count;
        }

        private void awaitDeaf() {
            while (letGo.getCount() > 0) {
                try {
                    letGo.await();
                } catch (InterruptedException e) {
                    // deaf
                }
            }
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }

    /** Runs the call on a thread of its own and interrupts it, before it waits or while it does. */
    private static void assertEndsByInterrupt(Callable<Void> call) throws Exception {
        FutureTask<Boolean> task = new FutureTask<>(() -> {
            assertThatThrownBy(call::call)
                    .isInstanceOf(InterruptedIOException.class)
                    .hasMessage("interrupted while waiting for chunks");
            return Thread.interrupted();
        });
        Thread caller = new Thread(task);
        caller.start();
        caller.interrupt();
        assertThat(task.get()).as("still interrupted").isTrue();
    }

    @Test
    void anInterruptEndsAChunkThatWaitsForItsSource() throws Exception {
        try (Shredder engine = EngineTests.open(Backend.CPU, 4096)) {
            Pipe pipe = Pipe.open();
            assertEndsByInterrupt(() -> {
                engine.chunk(pipe.source(), PARAMS, true, batch -> {});
                return null;
            });
            pipe.sink().close();
            assertThat(EngineTests.chunks(engine, PARAMS, new byte[1])).hasSize(1);
        }
    }

    @Test
    void anInterruptEndsAChunkFileThatWaitsForAWriter() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        try (Shredder engine = EngineTests.open(Backend.CPU, 4096)) {
            assertEndsByInterrupt(() -> {
                engine.chunkFile(pipe, PARAMS, true, batch -> {});
                return null;
            });
            assertThat(EngineTests.chunks(engine, PARAMS, new byte[1])).hasSize(1);
        }
    }

    @Test
    void anInterruptEndsAChunkWhoseSourceIsDeafToInterrupts() throws Exception {
        DeafSource source = new DeafSource();
        try (Shredder engine = EngineTests.open(Backend.CPU, 4096)) {
            assertEndsByInterrupt(() -> {
                engine.chunk(source, PARAMS, true, batch -> {});
                return null;
            });
        }
        source.letGo.countDown();
    }

    @Test
    void aSinksErrorDoesNotWaitForASourceThatHangsNorDoesTheEnginesEnd() throws Exception {
        DeafSource source = new DeafSource();
        byte[] data = new byte[50_000];
        new Random(1).nextBytes(data);
        try (Shredder engine = EngineTests.open(Backend.CPU, 4096)) {
            assertThatThrownBy(() -> engine.chunk(source, PARAMS, true, batch -> failOnceHanging(source, batch)))
                    .hasMessage("no room");
            assertThat(EngineTests.chunks(engine, PARAMS, data)).isNotEmpty();
        }
        source.letGo.countDown();
        source.wrote.await(); // to a buffer of an engine that is closed
    }

    /** Fails once the source hangs: before that the chunking goes on, to the last full buffers. */
    private static void failOnceHanging(DeafSource source, ChunkBatch batch) throws IOException {
        if (batch.offset(0) < 90_000) {
            return;
        }
        try {
            source.hangs.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        throw new IOException("no room");
    }

    @Test
    void viewsThatAreKeptCanBeReadAfterTheBatchIsReleasedAndAllIsClosed() throws Exception {
        byte[] data = new byte[300_000];
        new Random(5).nextBytes(data);
        List<ByteBuffer> kept = new ArrayList<>();
        try (Shredder engine = EngineTests.open(Backend.CPU, 4096)) {
            engine.chunk(EngineTests.channel(data), PARAMS, true, batch -> {
                kept.add(batch.data());
                kept.add(batch.data(batch.count() - 1));
            });
        }
        long sum = 0;
        for (int round = 0; round < 2; round++) {
            for (ByteBuffer view : kept) {
                for (int i = view.position(); i < view.limit(); i++) {
                    sum += view.get(i);
                }
            }
            System.gc();
        }
        assertThat(sum).as("the memory is not held").isZero();
        assertThat(kept).isNotEmpty();
    }

    @Test
    void aBufferThatWasAcquiredMayBeWrittenToAfterAllIsClosed() throws Exception {
        Shredder engine = EngineTests.open(Backend.CPU, 4096);
        ChunkStream stream = engine.openStream(PARAMS, true);
        ByteBuffer buffer = stream.acquire();
        stream.close();
        stream.cancel();
        engine.close();
        System.gc();
        while (buffer.hasRemaining()) {
            buffer.put((byte) 1);
        }
        assertThatThrownBy(() -> stream.finish(buffer)).isInstanceOf(IllegalStateException.class);
    }
}
