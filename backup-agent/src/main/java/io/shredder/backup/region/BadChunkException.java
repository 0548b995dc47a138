// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.region;

import io.shredder.chunk.Fingerprint;

/** A chunk whose bytes are not what its digests, or its seal, say. */
public final class BadChunkException extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient Fingerprint chunk;

    /** Names the chunk and what is wrong with it. */
    public BadChunkException(Fingerprint chunk, String problem) {
        super("chunk " + chunk + ": " + problem);
        this.chunk = chunk;
    }

    /** Which chunk it is. */
    public Fingerprint chunk() {
        return chunk;
    }
}
