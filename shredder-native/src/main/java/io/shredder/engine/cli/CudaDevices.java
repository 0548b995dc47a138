// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.cli;

import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR;
import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import jcuda.CudaException;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.JCudaDriver;
import org.jspecify.annotations.Nullable;

/**
 * The CUDA devices that the JVM sees through JCuda, or why it sees none: a machine without a driver is a normal case,
 * not an error. Immutable.
 */
public final class CudaDevices {

    /**
     * One device.
     *
     * @param ordinal as {@link io.shredder.engine.ShredderOptions#device} names it
     * @param computeCapability such as {@code 9.0}
     * @param freeBytes of its memory, by now
     */
    public record CudaDevice(int ordinal, String name, String computeCapability, long totalBytes, long freeBytes) {}

    private static final int NAME_BYTES = 256;

    private final List<CudaDevice> devices;
    private final @Nullable String problem;

    private CudaDevices(List<CudaDevice> devices, @Nullable String problem) {
        this.devices = List.copyOf(devices);
        this.problem = problem;
    }

    /** Looks at the machine. Makes a context on each device to read its free memory, which takes a moment. */
    public static CudaDevices survey() {
        try {
            JCudaDriver.setExceptionsEnabled(true);
            JCudaDriver.cuInit(0);
            int[] count = new int[1];
            JCudaDriver.cuDeviceGetCount(count);
            List<CudaDevice> devices = new ArrayList<>();
            for (int ordinal = 0; ordinal < count[0]; ordinal++) {
                devices.add(describe(ordinal));
            }
            return new CudaDevices(devices, devices.isEmpty() ? "the driver knows no device" : null);
        } catch (CudaException | LinkageError e) {
            return new CudaDevices(List.of(), explain(e));
        }
    }

    /** Empty if there is a {@link #problem}. */
    public List<CudaDevice> list() {
        return devices;
    }

    /** One line: why there is no device. */
    public Optional<String> problem() {
        return Optional.ofNullable(problem);
    }

    private static CudaDevice describe(int ordinal) {
        CUdevice device = new CUdevice();
        JCudaDriver.cuDeviceGet(device, ordinal);
        byte[] name = new byte[NAME_BYTES];
        JCudaDriver.cuDeviceGetName(name, name.length, device);
        String capability = attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) + "."
                + attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
        long[] memory = freeAndTotal(device);
        String text = new String(name, StandardCharsets.UTF_8);
        return new CudaDevice(ordinal, text.substring(0, text.indexOf('\0')), capability, memory[1], memory[0]);
    }

    private static int attribute(CUdevice device, int attribute) {
        int[] value = new int[1];
        JCudaDriver.cuDeviceGetAttribute(value, attribute, device);
        return value[0];
    }

    private static long[] freeAndTotal(CUdevice device) {
        CUcontext context = new CUcontext();
        JCudaDriver.cuDevicePrimaryCtxRetain(context, device);
        try {
            JCudaDriver.cuCtxPushCurrent(context);
            long[] free = new long[1];
            long[] total = new long[1];
            JCudaDriver.cuMemGetInfo(free, total);
            JCudaDriver.cuCtxPopCurrent(context);
            return new long[] {free[0], total[0]};
        } finally {
            JCudaDriver.cuDevicePrimaryCtxRelease(device);
        }
    }

    /** JCuda's load errors run to many lines; without a driver their cause is always the same one. */
    private static String explain(Throwable e) {
        if (e instanceof LinkageError) {
            return "JCuda can't be loaded: no NVIDIA driver (libcuda.so.1) on the library path";
        }
        return String.valueOf(e.getMessage());
    }
}
