// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.memo;

/** Whether a later job may use an entry. */
public enum Reuse {
    /** The output follows from the chunk's bytes and the job's identity alone. */
    REUSABLE(0),
    /** The map read where its chunk lies (record offsets, the split, task ids): good for the job that made it only. */
    POSITION_DEPENDENT(1),
    /** Other bytes were mapped than the manifest promised. Earlier versions kept such output, for nobody. */
    UNVERIFIED(2),
    /**
     * Nothing was mapped: what an earlier job has kept, with the same key and dependencies, was looked at where the map
     * task ran, and stands. The segments are empty; the job's plan says where that is kept. Good for this job only.
     */
    STANDS(3);

    private final int code;

    Reuse(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }

    static Reuse ofCode(int code) {
        for (Reuse value : values()) {
            if (value.code == code) {
                return value;
            }
        }
        throw new IllegalArgumentException("unknown reuse code " + code);
    }
}
