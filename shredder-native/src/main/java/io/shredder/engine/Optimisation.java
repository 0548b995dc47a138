// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

/**
 * What makes the engine fast besides its devices, one by one: {@link ShredderOptions#without} takes some away, so that
 * their effect can be measured as the papers did (Shredder, FAST 2012, sections 4 and 5; CrystalGPU). Results stay the
 * same.
 */
public enum Optimisation {
    /** Ring buffers of page-locked memory. */
    PINNED_RING(1),
    /** Buffers are allocated once and used again. */
    BUFFER_REUSE(2),
    /** Copies run beside kernels: several jobs at once on a device. */
    OVERLAP(4),
    /** The tuned scan: coalesced and without tables on CUDA, vectors on a CPU. */
    TUNED_SCAN(8);

    private final int switchBit;

    Optimisation(int switchBit) {
        this.switchBit = switchBit;
    }

    /** The bit of {@code shredder_switch} in {@code shredder.h} that takes it away. */
    int switchBit() {
        return switchBit;
    }
}
