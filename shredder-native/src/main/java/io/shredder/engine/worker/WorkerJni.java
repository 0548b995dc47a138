// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.worker;

import io.shredder.engine.ShredderException;

/** The natives of workers, and nothing else. Texts are UTF-8. */
final class WorkerJni {

    private WorkerJni() {}

    /** Zero in the last three means their defaults. */
    static native long open(byte[] socket, byte[] devices, int threads, int mostClients, long mostBufferBytes)
            throws ShredderException;

    static native byte[] devices(long worker) throws ShredderException;

    /** Fills in clients that are connected, clients served, bytes scanned. */
    static native void figures(long worker, long[] figures) throws ShredderException;

    static native void close(long worker);
}
