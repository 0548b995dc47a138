// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * What groups of files share, by their chunks: bytes of all chunks, and of different ones. Sums of several are those of
 * all, if no chunk is counted by two. For one thread.
 */
final class Sharing {

    /** So many groups are told apart. */
    static final int MOST_GROUPS = 64;

    /** Chunks by their length, in powers of two. */
    static final int CLASSES = 31;

    private final int groups;
    private final long[] bytes;
    private final long[] different;
    private final long[] shared;
    private final long[] classBytes = new long[CLASSES];
    private final long[] classDifferent = new long[CLASSES];

    /** @param groups from 1 to {@value #MOST_GROUPS} */
    Sharing(int groups) {
        this.groups = groups;
        this.bytes = new long[groups];
        this.different = new long[groups];
        this.shared = new long[groups * groups];
    }

    /**
     * Counts a chunk, once and for all.
     *
     * @param length in bytes
     * @param times how often each group has it
     */
    void add(int length, long... times) {
        long all = 0;
        for (int group = 0; group < groups; group++) {
            if (times[group] > 0) {
                all += times[group];
                bytes[group] += times[group] * length;
                different[group] += length;
                for (int other = 0; other < groups; other++) {
                    shared[group * groups + other] += times[other] > 0 ? length : 0;
                }
            }
        }
        int size = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(length);
        classBytes[size] += all * length;
        classDifferent[size] += length;
    }

    /** Adds what another one has counted. */
    void add(Sharing other) {
        add(bytes, other.bytes);
        add(different, other.different);
        add(shared, other.shared);
        add(classBytes, other.classBytes);
        add(classDifferent, other.classDifferent);
    }

    private static void add(long[] to, long... more) {
        for (int i = 0; i < to.length; i++) {
            to[i] += more[i];
        }
    }

    int groups() {
        return groups;
    }

    /** Of a group's chunks, with repetitions. */
    long bytes(int group) {
        return bytes[group];
    }

    /** Of chunks that are different from each other within the group. */
    long different(int group) {
        return different[group];
    }

    /** Of different chunks that both groups have. */
    long shared(int group, int other) {
        return shared[group * groups + other];
    }

    /** Of all chunks of that length, from 2^{@code size} to before twice that. */
    long bytesOfSize(int size) {
        return classBytes[size];
    }

    /** The same of different ones. */
    long differentOfSize(int size) {
        return classDifferent[size];
    }

    /** Of all chunks. */
    long bytes() {
        return sum(classBytes);
    }

    /** Of all different chunks, wherever they are. */
    long different() {
        return sum(classDifferent);
    }

    private static long sum(long... all) {
        long sum = 0;
        for (long one : all) {
            sum += one;
        }
        return sum;
    }

    /** Writes it as {@link #read} reads it. */
    void write(DataOutput out) throws IOException {
        out.writeInt(groups);
        for (long[] all : arrays()) {
            for (long one : all) {
                out.writeLong(one);
            }
        }
    }

    static Sharing read(DataInput in) throws IOException {
        Sharing read = new Sharing(in.readInt());
        for (long[] all : read.arrays()) {
            for (int i = 0; i < all.length; i++) {
                all[i] = in.readLong();
            }
        }
        return read;
    }

    private long[][] arrays() {
        return new long[][] {bytes, different, shared, classBytes, classDifferent};
    }
}
