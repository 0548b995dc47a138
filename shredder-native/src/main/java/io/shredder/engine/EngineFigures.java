// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

import java.util.ArrayList;
import java.util.List;

/**
 * What an engine runs on and has done, at one moment. Memory figures are peaks since it was opened.
 *
 * @param devices that share the streams' buffers, failed ones included
 * @param devicesFailed of them; their buffers went to the others, or to the CPU
 * @param pipelineDepth ring buffers of a stream for each device
 * @param bufferBytes payload of one ring buffer
 * @param bytesScanned by the devices' own kernels
 * @param hostBytes of host memory that buffers took at once, page-locked memory included
 * @param pinnedBytes of page-locked memory
 * @param deviceBytes of device memory
 */
public record EngineFigures(
        int devices,
        int devicesFailed,
        int pipelineDepth,
        long bufferBytes,
        long bytesScanned,
        long hostBytes,
        long pinnedBytes,
        long deviceBytes) {

    /**
     * One device of an engine.
     *
     * @param failed whether it is no longer used
     * @param bytesPerSecond of its last jobs, while it had something to do; 0 before its first
     */
    public record Device(String name, boolean failed, long bytesScanned, double bytesPerSecond) {

        /** As {@link ShredderJni#engineDevices} gives them. */
        static List<Device> listOf(String[] texts) {
            List<Device> devices = new ArrayList<>();
            for (int i = 0; i < texts.length; i += 4) {
                devices.add(new Device(
                        texts[i],
                        Boolean.parseBoolean(texts[i + 1]),
                        Long.parseLong(texts[i + 2]),
                        Double.parseDouble(texts[i + 3])));
            }
            return List.copyOf(devices);
        }
    }

    /** As {@link ShredderJni#engineFigures} gives them, in this order. */
    static EngineFigures of(long[] values) {
        return new EngineFigures(
                (int) values[0],
                (int) values[1],
                (int) values[2],
                values[3],
                values[4],
                values[5],
                values[6],
                values[7]);
    }
}
