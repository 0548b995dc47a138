// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.verify;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * What a task found of the chunks that begin in a part of a file.
 *
 * @param state of the part
 * @param reason one line; empty where the state says all
 * @param from where the first chunk begins
 * @param to where the last one ends; {@code from}, if none begins here
 * @param chunks how many were read
 * @param differing how many of them are not what the manifest says
 * @param offset where the first of those begins
 * @param length of that one, in bytes
 */
record PartProof(
        ProofState state, String reason, long from, long to, long chunks, long differing, long offset, int length) {

    static PartProof without(ProofState state, String reason) {
        return new PartProof(state, reason, 0, 0, 0, 0, 0, 0);
    }

    /** The same in another state. */
    PartProof as(ProofState other, String why) {
        return new PartProof(other, why, from, to, chunks, differing, offset, length);
    }

    /** Writes it as {@link #read} reads it. */
    void write(DataOutput out) throws IOException {
        out.writeUTF(state.name());
        out.writeUTF(reason);
        out.writeLong(from);
        out.writeLong(to);
        out.writeLong(chunks);
        out.writeLong(differing);
        out.writeLong(offset);
        out.writeInt(length);
    }

    static PartProof read(DataInput in) throws IOException {
        return new PartProof(
                ProofState.valueOf(in.readUTF()),
                in.readUTF(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readInt());
    }
}
