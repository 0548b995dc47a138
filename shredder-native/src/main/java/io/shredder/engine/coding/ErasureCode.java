// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.coding;

/**
 * A code: of {@code data} shards of equal length it makes {@code parity} more, and any {@code data} of all of them
 * give back the others ({@code docs/formats/coding.md}). Shards are numbered from 0 on, data first.
 *
 * @param data number of data shards, at least 1
 * @param parity number of parity shards, at least 1
 */
public record ErasureCode(Kind kind, int data, int parity) {

    /** How parity is computed. */
    public enum Kind {
        /** Reed-Solomon with the Cauchy matrix of Hadoop's {@code rs} and of ISA-L: up to 256 shards in all. */
        RS(1, 256),
        /** Reed-Solomon as Hadoop's {@code rs-legacy} has it: up to 255 shards in all. */
        RS_LEGACY(2, 255),
        /** One parity shard, the XOR of the data shards: up to 256 in all. */
        XOR(3, 256);

        private final int code;
        private final int mostShards;

        Kind(int code, int mostShards) {
            this.code = code;
            this.mostShards = mostShards;
        }

        /** The {@code shredder_code} of {@code shredder.h}. */
        int code() {
            return code;
        }
    }

    /** Refuses a code that does not exist. */
    public ErasureCode {
        if (data < 1 || parity < 1) {
            throw new IllegalArgumentException(data + " data and " + parity + " parity shards: at least one of each");
        }
        if (kind == Kind.XOR && parity != 1) {
            throw new IllegalArgumentException("XOR has one parity shard, not " + parity);
        }
        if (data > kind.mostShards || parity > kind.mostShards || data + parity > kind.mostShards) {
            throw new IllegalArgumentException(
                    data + " data and " + parity + " parity shards: at most " + kind.mostShards + " in all");
        }
    }

    /** Data and parity shards together. */
    public int shards() {
        return data + parity;
    }
}
