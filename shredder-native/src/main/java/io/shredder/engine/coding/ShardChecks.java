// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.coding;

import java.nio.ByteBuffer;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** What every coder refuses, in the same words. */
final class ShardChecks {

    private ShardChecks() {}

    /** The length of the shards of an encoding that makes sense. */
    static int encoding(ErasureCode code, ByteBuffer[] data, ByteBuffer[] parity) {
        requireCount("data shards", data.length, code.data());
        requireCount("parity shards", parity.length, code.parity());
        int bytes = data[0].remaining();
        requireLength(data, bytes);
        requireOutputs(parity, bytes);
        return bytes;
    }

    /** The length of the shards of a decoding that makes sense. */
    static int decoding(ErasureCode code, @Nullable ByteBuffer[] shards, int[] wanted, ByteBuffer[] outputs) {
        requireCount("shards", shards.length, code.shards());
        requireCount("outputs", outputs.length, wanted.length);
        requireLost(shards, wanted);
        int[] sources = sources(code, shards);
        int bytes = source(shards, sources[0]).remaining();
        requireLength(shards, bytes);
        requireOutputs(outputs, bytes);
        return bytes;
    }

    /** Numbers of the shards that are read: the first that are there. */
    static int[] sources(ErasureCode code, @Nullable ByteBuffer[] shards) {
        int[] sources = new int[code.data()];
        int found = 0;
        for (int i = 0; i < shards.length && found < sources.length; i++) {
            if (shards[i] != null) {
                sources[found++] = i;
            }
        }
        if (found < sources.length) {
            throw new IllegalArgumentException(found + " shards are there, " + sources.length + " are needed");
        }
        return sources;
    }

    /** One that is there. */
    static ByteBuffer source(@Nullable ByteBuffer[] shards, int number) {
        ByteBuffer shard = shards[number];
        if (shard == null) {
            throw new IllegalStateException("bug: shard " + number + " is not there");
        }
        return shard;
    }

    private static void requireCount(String what, int count, int expected) {
        if (count != expected) {
            throw new IllegalArgumentException(count + " " + what + " in place of " + expected);
        }
    }

    private static void requireLost(@Nullable ByteBuffer[] shards, int[] wanted) {
        BitSet seen = new BitSet();
        for (int shard : wanted) {
            if (shard < 0 || shard >= shards.length) {
                throw new IllegalArgumentException("shard " + shard + " is wanted of " + shards.length);
            }
            if (shards[shard] != null) {
                throw new IllegalArgumentException("shard " + shard + " is wanted, but it is there");
            }
            if (seen.get(shard)) {
                throw new IllegalArgumentException("shard " + shard + " is wanted twice");
            }
            seen.set(shard);
        }
    }

    private static void requireLength(@Nullable ByteBuffer[] shards, int bytes) {
        for (ByteBuffer shard : shards) {
            if (shard != null && shard.remaining() != bytes) {
                throw new IllegalArgumentException("shards of " + bytes + " and of " + shard.remaining() + " bytes");
            }
        }
    }

    private static void requireOutputs(ByteBuffer[] outputs, int bytes) {
        requireLength(outputs, bytes);
        for (ByteBuffer output : outputs) {
            if (output.isReadOnly()) {
                throw new IllegalArgumentException("an output is read-only");
            }
        }
    }
}
