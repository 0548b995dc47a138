// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.cli;

import io.shredder.engine.NativeLibrary;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine's code that digests many regions side by side, {@link io.shredder.engine.MemoryDigests}, as an agent
 * starts with it.
 */
final class NativeDigests {

    private static final Logger LOG = LoggerFactory.getLogger(NativeDigests.class);

    private NativeDigests() {}

    /** For the start of an agent: loads it, or says that the Java platform digests regions, with the same results. */
    static void load() {
        String failure = NativeLibrary.failure();
        if (failure != null) {
            LOG.warn("regions are digested one by one, which takes about twice the time: {}", failure);
        }
    }
}
