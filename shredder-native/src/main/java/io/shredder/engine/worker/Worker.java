// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.worker;

import io.shredder.engine.NativeHandle;
import io.shredder.engine.NativeLibrary;
import io.shredder.engine.ShredderException;
import java.nio.charset.StandardCharsets;

/**
 * Lends this machine's devices to engines of other processes, which name its socket as one of their devices, {@code
 * worker:SOCKET}. Clients share it by their weights; each has threads of its own here. A client that says what it may
 * not ends its own connection alone. Any thread may call.
 */
public final class Worker implements AutoCloseable {

    private final NativeHandle handle;
    private final String devices;

    private Worker(long worker) throws ShredderException {
        handle = new NativeHandle("worker", worker);
        devices = new String(WorkerJni.devices(worker), StandardCharsets.UTF_8);
    }

    /**
     * Listens, and serves until it is closed.
     *
     * @throws io.shredder.engine.BackendUnavailableException if a device is not there, or it can't listen
     * @throws io.shredder.engine.InvalidOptionException if an option is out of range
     */
    public static Worker open(WorkerOptions options) throws ShredderException {
        NativeLibrary.require();
        return new Worker(WorkerJni.open(
                options.socket().toString().getBytes(StandardCharsets.UTF_8),
                options.pool().getBytes(StandardCharsets.UTF_8),
                options.threads(),
                options.mostClients(),
                options.mostBufferBytes()));
    }

    /** What it lends, such as {@code avx512}. */
    public String devices() {
        return devices;
    }

    /**
     * What it does.
     *
     * @param clients that are connected
     * @param clientsServed since it began, those that are connected among them
     * @param bytesScanned for all of them
     */
    public record Figures(long clients, long clientsServed, long bytesScanned) {}

    /** As they are now. */
    public Figures figures() throws ShredderException {
        long[] figures = new long[3];
        long worker = handle.enter();
        try {
            WorkerJni.figures(worker, figures);
        } finally {
            handle.leave();
        }
        return new Figures(figures[0], figures[1], figures[2]);
    }

    /** Ends the connections; the clients' engines go on without it. */
    @Override
    public void close() {
        if (handle.beginClose()) {
            WorkerJni.close(handle.awaitLastLeave());
        }
    }
}
