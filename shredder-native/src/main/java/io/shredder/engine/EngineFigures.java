// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

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
