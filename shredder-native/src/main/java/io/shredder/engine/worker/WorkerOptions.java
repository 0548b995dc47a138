// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.worker;

import io.shredder.engine.InvalidOptionException;
import io.shredder.engine.ShredderOptions.Devices;
import java.nio.file.Path;

/**
 * What a worker lends, where, and to how many. Zero means a number's default.
 *
 * @param socket path of the Unix socket to listen at, up to 107 bytes; only its owner may connect
 * @param devices a backend, or a pool of devices
 * @param threads that scan and digest on the CPU; default all cores
 * @param mostClients at once; default 16
 * @param mostBufferBytes of a buffer, of which a client has up to 16; default 64 MiB
 */
public record WorkerOptions(Path socket, Devices devices, int threads, int mostClients, long mostBufferBytes) {

    public WorkerOptions {
        if (threads < 0 || mostClients < 0 || mostBufferBytes < 0) {
            throw new InvalidOptionException("a worker of " + threads + " threads for " + mostClients
                    + " clients with buffers of " + mostBufferBytes + " bytes: use numbers from 1 on");
        }
    }

    /** With defaults. */
    public WorkerOptions(Path socket, Devices devices) {
        this(socket, devices, 0, 0, 0);
    }

    /** As the native library takes them. */
    String pool() {
        if (!devices.pool().isEmpty()) {
            return devices.pool();
        }
        return devices.equals(Devices.AUTO) ? "cpu" : devices.backend().optionName();
    }
}
