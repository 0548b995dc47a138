// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.device;

import io.shredder.backup.agent.index.BulkCipher;
import io.shredder.backup.agent.index.BulkCipher.Messages;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;
import jcuda.driver.JCudaDriver;

/**
 * AES-256-GCM on the first GPU, by the kernels of {@code native/measure/crypto/aes_gcm.cu}: to measure what it brings a
 * store. Bytes go through page-locked memory to the GPU and back in each call. Safe for any number of threads; one is
 * served at a time.
 */
public final class DeviceAesGcm implements AutoCloseable {
    private static final int TAG_BYTES = 16;
    /** The kernels' AesGcmDeviceKey. */
    private static final int KEY_BYTES = 64 * 4 + 2049 * 16 + 32 * 16 * 16;

    private static final int KEY_THREADS = 512;
    private static final int SEAL_THREADS = 512;
    private static final int TAG_THREADS = 128;
    private static final int WARP = 32;
    private static final int SEGMENT_BYTES = 32 << 10;
    /** The kernels' DeviceBatch. */
    private static final int BATCH_BYTES = 96;

    /** A key, expanded on the GPU; it stays there until the end of the process. */
    private final class Keyed implements BulkCipher {
        private final CUdeviceptr prepared;

        private Keyed(CUdeviceptr prepared) {
            this.prepared = prepared;
        }

        @Override
        public void seal(Messages messages, byte[] plain, int plainAt, byte[] sealed, int sealedAt) {
            synchronized (DeviceAesGcm.this) {
                run(prepared, messages, plain, plainAt, false);
                out.fetch(messages.sealedBytes());
                JCudaDriver.cuCtxSynchronize();
                out.bytes.get(0, sealed, sealedAt, messages.sealedBytes());
            }
        }

        @Override
        public int open(Messages messages, byte[] sealed, int sealedAt, byte[] plain, int plainAt) {
            synchronized (DeviceAesGcm.this) {
                run(prepared, messages, sealed, sealedAt, true);
                out.fetch(messages.plainBytes());
                opened.fetch(messages.count());
                JCudaDriver.cuCtxSynchronize();
                out.bytes.get(0, plain, plainAt, messages.plainBytes());
                int sound = 0;
                while (sound < messages.count() && opened.bytes.get(sound) == 1) {
                    sound++;
                }
                return sound;
            }
        }
    }

    /** Device memory, and as much page-locked memory. */
    private static final class Place {
        private final CUdeviceptr device = new CUdeviceptr();
        private final Pointer host = new Pointer();
        private final ByteBuffer bytes;

        Place(int size) {
            JCudaDriver.cuMemAlloc(device, size);
            JCudaDriver.cuMemHostAlloc(host, size, 0);
            bytes = host.getByteBuffer(0, size).order(ByteOrder.LITTLE_ENDIAN);
        }

        void send(int count) {
            JCudaDriver.cuMemcpyHtoDAsync(device, host, count, null);
        }

        void fetch(int count) {
            JCudaDriver.cuMemcpyDtoHAsync(host, device, count, null);
        }

        void free() {
            JCudaDriver.cuMemFree(device);
            JCudaDriver.cuMemFreeHost(host);
        }
    }

    private final CUcontext context = new CUcontext();
    private final CUfunction keyKernel = new CUfunction();
    private final CUfunction segmentsKernel = new CUfunction();
    private final CUfunction tagsKernel = new CUfunction();
    private final int capacity;
    private final Place in;
    private final Place out;
    private final Place clear;
    private final Place opened;
    private final CUdeviceptr hashes = new CUdeviceptr();

    /**
     * Opens the first GPU.
     *
     * @param ptx the kernels, as a CMake build with CUDA leaves them: {@code aes_gcm.ptx}
     * @param capacity the most bytes of messages, sealed, in one call
     */
    public DeviceAesGcm(Path ptx, int capacity) throws IOException {
        this.capacity = capacity;
        JCudaDriver.setExceptionsEnabled(true);
        JCudaDriver.cuInit(0);
        CUdevice device = new CUdevice();
        JCudaDriver.cuDeviceGet(device, 0);
        JCudaDriver.cuCtxCreate(context, 0, device);
        CUmodule module = new CUmodule();
        byte[] text = Files.readAllBytes(ptx);
        JCudaDriver.cuModuleLoadData(module, Arrays.copyOf(text, text.length + 1));
        JCudaDriver.cuModuleGetFunction(keyKernel, module, "shredder_aes_gcm_key");
        JCudaDriver.cuModuleGetFunction(segmentsKernel, module, "shredder_aes_gcm_segments");
        JCudaDriver.cuModuleGetFunction(tagsKernel, module, "shredder_aes_gcm_tags");
        in = new Place(capacity);
        out = new Place(capacity);
        clear = new Place(capacity);
        opened = new Place(capacity);
        JCudaDriver.cuMemAlloc(hashes, capacity);
    }

    /** The cipher of a key of 32 bytes. */
    public synchronized BulkCipher cipher(byte[] key) {
        JCudaDriver.cuCtxSetCurrent(context);
        CUdeviceptr prepared = new CUdeviceptr();
        JCudaDriver.cuMemAlloc(prepared, KEY_BYTES);
        in.bytes.put(0, key);
        in.send(key.length);
        launch(keyKernel, 1, KEY_THREADS, Pointer.to(in.device), Pointer.to(prepared));
        JCudaDriver.cuCtxSynchronize();
        return new Keyed(prepared);
    }

    private void run(CUdeviceptr key, Messages messages, byte[] from, int at, boolean open) {
        if (messages.sealedBytes() > capacity || messages.clear().length > capacity) {
            throw new IllegalArgumentException(
                    messages.sealedBytes() + " bytes are more than the " + capacity + " there is room for");
        }
        JCudaDriver.cuCtxSetCurrent(context);
        int bytes = open ? messages.sealedBytes() : messages.plainBytes();
        in.bytes.put(0, from, at, bytes);
        in.send(bytes);
        if (messages.clear().length > 0) {
            clear.bytes.put(0, messages.clear());
            clear.send(messages.clear().length);
        }
        Pointer batch = Pointer.to(batch(messages, open));
        int segments = messages.count() * Math.max(1, (messages.length() + SEGMENT_BYTES - 1) / SEGMENT_BYTES);
        int blocks = (segments * WARP + SEAL_THREADS - 1) / SEAL_THREADS;
        launch(segmentsKernel, blocks, SEAL_THREADS, Pointer.to(key), batch, Pointer.to(hashes));
        int tagBlocks = (messages.count() + TAG_THREADS - 1) / TAG_THREADS;
        launch(tagsKernel, tagBlocks, TAG_THREADS, Pointer.to(key), batch, Pointer.to(hashes));
    }

    private static void launch(CUfunction kernel, int blocks, int threads, Pointer... arguments) {
        JCudaDriver.cuLaunchKernel(kernel, blocks, 1, 1, threads, 1, 1, 0, null, Pointer.to(arguments), null);
    }

    /** {@code DeviceBatch} of {@code device_ciphers.h}, field by field. */
    private byte[] batch(Messages messages, boolean open) {
        int length = messages.length();
        int sealedLength = length + TAG_BYTES;
        long inAt = address(in.device);
        long outAt = address(out.device);
        return ByteBuffer.allocate(BATCH_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(inAt)
                .putLong(outAt)
                .putLong((open ? inAt : outAt) + length)
                .putLong(open ? address(opened.device) : 0)
                .putLong(0)
                .putLong(address(clear.device))
                .putLong(open ? sealedLength : length)
                .putLong(open ? length : sealedLength)
                .putLong(sealedLength)
                .putLong(messages.sequence())
                .putInt(messages.part())
                .putInt(messages.clear().length)
                .putInt(length)
                .putInt(messages.count())
                .array();
    }

    /** JCuda keeps it to itself but for this. */
    private static long address(CUdeviceptr pointer) {
        return new Address(pointer).value();
    }

    /** What a device pointer says its address is. */
    private static final class Address extends CUdeviceptr {
        private Address(CUdeviceptr pointer) {
            super(pointer);
        }

        long value() {
            return getNativePointer();
        }
    }

    @Override
    public synchronized void close() {
        JCudaDriver.cuCtxSetCurrent(context);
        for (Place place : new Place[] {in, out, clear, opened}) {
            place.free();
        }
        JCudaDriver.cuCtxDestroy(context);
    }
}
