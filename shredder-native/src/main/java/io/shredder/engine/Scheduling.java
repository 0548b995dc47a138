// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

/** How a stream's buffers are given to several devices. */
public enum Scheduling {
    /** To the device with the fewest jobs under way. */
    SHORTEST_QUEUE(0),
    /** In turn. */
    ROUND_ROBIN(1);

    private final int code;

    Scheduling(int code) {
        this.code = code;
    }

    /** The value of {@code shredder_scheduling} in {@code shredder.h}. */
    int code() {
        return code;
    }
}
