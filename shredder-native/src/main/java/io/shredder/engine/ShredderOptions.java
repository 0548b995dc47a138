// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How an engine runs. 0 stands for the engine's default.
 *
 * @param backend what scans and digests
 * @param bufferBytes payload of one ring buffer, 4 KiB to 512 MiB; default 64 MiB with CUDA, at least 8 MiB on the CPU
 * @param pipelineDepth ring buffers of one stream for each device, 1 to 8; default 4, in a pool of GPUs and CPUs 6
 * @param device ordinal of the CUDA device, or {@link #ALL_DEVICES}
 * @param cpuThreads threads that scan and digest on the CPU; default all cores, in a pool two fewer for each GPU
 * @param deviceCount how many devices at most; default all. On a CPU backend: so many devices, default one, that share
 *     the threads, for tests and measurements
 * @param scheduling how buffers are given to several devices
 * @param devices empty, or a pool of devices of several kinds in place of backend, device and device count: such as
 *     {@code cuda,cpu*4}, as {@code shredder.h} has it
 * @param autoBuffers whether buffers are filled only as far as is found, while the engine works, to be worth it;
 *     results and memory stay the same
 * @param without optimisations to do without, for measurements
 * @param readerThreads threads that read one file side by side, 1 to 256; default 8, or all cores if they are fewer
 * @param directReads whether files are read past the page cache (O_DIRECT); refused where their file system can't
 */
public record ShredderOptions(
        Backend backend,
        int bufferBytes,
        int pipelineDepth,
        int device,
        int cpuThreads,
        int deviceCount,
        Scheduling scheduling,
        String devices,
        boolean autoBuffers,
        Set<Optimisation> without,
        int readerThreads,
        boolean directReads) {

    public static final int ALL_DEVICES = -1;

    private static final int AUTO_BUFFERS = 16;
    private static final int MIN_BUFFER_BYTES = 4 << 10;
    private static final int MAX_BUFFER_BYTES = 512 << 20;
    private static final int MAX_DEPTH = 8;
    private static final int MAX_READER_THREADS = 256;

    /**
     * Checks the options.
     *
     * @throws InvalidOptionException naming every bad value
     */
    public ShredderOptions {
        without = Set.copyOf(without);
        List<String> problems = new ArrayList<>();
        if (bufferBytes != 0 && (bufferBytes < MIN_BUFFER_BYTES || bufferBytes > MAX_BUFFER_BYTES)) {
            problems.add("bufferBytes " + bufferBytes + " is not in 4 KiB..512 MiB");
        }
        if (pipelineDepth < 0 || pipelineDepth > MAX_DEPTH) {
            problems.add("pipelineDepth " + pipelineDepth + " is not in 1.." + MAX_DEPTH);
        }
        if (device < ALL_DEVICES) {
            problems.add("device " + device + " is not an ordinal, nor -1 for all");
        }
        if (cpuThreads < 0) {
            problems.add("cpuThreads " + cpuThreads + " is negative");
        }
        if (deviceCount < 0) {
            problems.add("deviceCount " + deviceCount + " is negative");
        }
        if (!devices.isEmpty() && (backend != Backend.AUTO || device != ALL_DEVICES || deviceCount != 0)) {
            problems.add("devices " + devices + " go without a backend, a device and a device count");
        }
        if (readerThreads < 0 || readerThreads > MAX_READER_THREADS) {
            problems.add("readerThreads " + readerThreads + " is not in 1.." + MAX_READER_THREADS);
        }
        if (!problems.isEmpty()) {
            throw new InvalidOptionException(String.join("; ", problems));
        }
    }

    /** {@code shredder_switch} bits. */
    int switches() {
        return without.stream().mapToInt(Optimisation::switchBit).sum() + (autoBuffers ? AUTO_BUFFERS : 0);
    }

    /**
     * What scans and digests, as one text names it: a backend, or a pool of devices of several kinds.
     *
     * @param backend AUTO if there is a pool
     * @param pool as {@code shredder.h} has it; empty if there is none
     */
    public record Devices(Backend backend, String pool) {

        /** Whatever is best here. */
        public static final Devices AUTO = new Devices(Backend.AUTO, "");

        private static final String DEVICE =
                "(cuda(:[0-9]{1,9})?|(cpu|scalar|avx2|avx512)(\\*[1-9][0-9]{0,3})?|worker:[^,]+)";

        /**
         * Reads {@code avx512}, {@code cuda:1}, {@code cuda,cpu*4} or {@code cpu,worker:SOCKET}.
         *
         * @throws InvalidOptionException if it is neither a backend nor a pool
         */
        public static Devices parse(String text) {
            if (Arrays.stream(Backend.values())
                    .anyMatch(each -> each.optionName().equals(text))) {
                return new Devices(Backend.parse(text), "");
            }
            if (!text.matches(DEVICE + "(," + DEVICE + ")*")) {
                throw new InvalidOptionException("unknown backend '" + text + "': use one of "
                        + Arrays.stream(Backend.values())
                                .map(Backend::optionName)
                                .collect(Collectors.joining(", "))
                        + ", or several devices, such as cuda,cpu or cuda:0,cpu*4 or cpu,worker:/path/of/its/socket");
            }
            return new Devices(Backend.AUTO, text);
        }
    }

    /** All defaults: backend AUTO on all devices. */
    public static ShredderOptions defaults() {
        return builder().build();
    }

    /** Defaults but for the backend. */
    public static ShredderOptions of(Backend backend) {
        return builder().backend(backend).build();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Collects options; {@link #build} checks them. */
    public static final class Builder {
        private Backend backend = Backend.AUTO;
        private int bufferBytes;
        private int pipelineDepth;
        private int device = ALL_DEVICES;
        private int cpuThreads;
        private int deviceCount;
        private Scheduling scheduling = Scheduling.SHORTEST_QUEUE;
        private String devices = "";
        private boolean autoBuffers;
        private Set<Optimisation> without = Set.of();
        private int readerThreads;
        private boolean directReads;

        private Builder() {}

        /** What scans and digests. A pool's devices share the buffers by {@link Scheduling#LEAST_WORK}. */
        public Builder on(Devices value) {
            backend = value.backend();
            devices = value.pool();
            scheduling = devices.isEmpty() ? scheduling : Scheduling.LEAST_WORK;
            return this;
        }

        public Builder backend(Backend value) {
            backend = value;
            return this;
        }

        public Builder bufferBytes(int value) {
            bufferBytes = value;
            return this;
        }

        public Builder pipelineDepth(int value) {
            pipelineDepth = value;
            return this;
        }

        public Builder device(int value) {
            device = value;
            return this;
        }

        public Builder cpuThreads(int value) {
            cpuThreads = value;
            return this;
        }

        public Builder deviceCount(int value) {
            deviceCount = value;
            return this;
        }

        public Builder scheduling(Scheduling value) {
            scheduling = value;
            return this;
        }

        public Builder devices(String value) {
            devices = value;
            return this;
        }

        public Builder autoBuffers(boolean value) {
            autoBuffers = value;
            return this;
        }

        public Builder without(Set<Optimisation> value) {
            without = value;
            return this;
        }

        public Builder readerThreads(int value) {
            readerThreads = value;
            return this;
        }

        public Builder directReads(boolean value) {
            directReads = value;
            return this;
        }

        /**
         * The options, checked.
         *
         * @throws InvalidOptionException naming every bad value
         */
        public ShredderOptions build() {
            return new ShredderOptions(
                    backend,
                    bufferBytes,
                    pipelineDepth,
                    device,
                    cpuThreads,
                    deviceCount,
                    scheduling,
                    devices,
                    autoBuffers,
                    without,
                    readerThreads,
                    directReads);
        }
    }
}
