// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.shredder.chunk.Chunk;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.ReferenceChunker;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.JCudaDriver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The ring's buffers are page-locked host memory to JCuda: an application copies from and to them as if it had
 * allocated them itself, and the engine takes them as they are. Needs a CUDA device.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PinnedRingTest {

    private static final ChunkingParams PARAMS = ChunkingParams.ofAverage(8 << 10);

    @Test
    void bytesThatAnApplicationMadeOnTheGpuReachTheEngineThroughPageLockedBuffersAlone() throws Exception {
        assumeTrue(EngineTests.availableBackends().contains(Backend.CUDA), "needs a CUDA device");
        byte[] data = new byte[3_000_001];
        new Random(9).nextBytes(data);
        try (DeviceCopy onDevice = new DeviceCopy(data);
                Shredder engine = EngineTests.open(Backend.CUDA, 1 << 20);
                ChunkStream stream = engine.openStream(PARAMS, true)) {
            CompletableFuture<List<Chunk>> chunks = CompletableFuture.supplyAsync(() -> take(stream));
            fill(stream, onDevice);
            assertThat(chunks.get()).isEqualTo(ReferenceChunker.chunk(PARAMS, data));
            assertThat(engine.figures().pinnedBytes()).isPositive();
        }
    }

    private static void fill(ChunkStream stream, DeviceCopy source) throws ShredderException {
        for (int from = 0; ; ) {
            ByteBuffer buffer = stream.acquire();
            JCudaDriver.cuMemHostGetFlags(new int[1], Pointer.to(buffer)); // throws unless it is page-locked
            int size = Math.min(buffer.capacity(), source.bytes - from);
            source.copyTo(buffer, from, size);
            from += size;
            if (from == source.bytes) {
                stream.finish(buffer.position(size));
                return;
            }
            stream.submit(buffer.position(size));
        }
    }

    private static List<Chunk> take(ChunkStream stream) {
        List<Chunk> chunks = new ArrayList<>();
        try {
            for (ChunkBatch batch = stream.next(); batch != null; batch = stream.next()) {
                for (int i = 0; i < batch.count(); i++) {
                    chunks.add(batch.chunk(i));
                }
                stream.release();
            }
        } catch (ShredderException e) {
            throw new IllegalStateException(e);
        }
        return chunks;
    }

    /** Bytes on the first device, whose primary context, the engine's too, is current for this thread meanwhile. */
    private static final class DeviceCopy implements AutoCloseable {

        private final CUdevice device = new CUdevice();
        private final CUdeviceptr address = new CUdeviceptr();
        private final int bytes;

        DeviceCopy(byte[] data) {
            bytes = data.length;
            JCudaDriver.setExceptionsEnabled(true);
            JCudaDriver.cuInit(0);
            JCudaDriver.cuDeviceGet(device, 0);
            CUcontext context = new CUcontext();
            JCudaDriver.cuDevicePrimaryCtxRetain(context, device);
            JCudaDriver.cuCtxSetCurrent(context);
            JCudaDriver.cuMemAlloc(address, bytes);
            JCudaDriver.cuMemcpyHtoD(address, Pointer.to(data), bytes);
        }

        void copyTo(ByteBuffer target, long from, int size) {
            JCudaDriver.cuMemcpyDtoH(Pointer.to(target), address.withByteOffset(from), size);
        }

        @Override
        public void close() {
            JCudaDriver.cuMemFree(address);
            JCudaDriver.cuDevicePrimaryCtxRelease(device);
        }
    }
}
