// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.report;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Bytes of chunks, by the group of files that has them and by their length. Sums of several are those of all, if no
 * chunk is counted by two. For one thread.
 *
 * <p>A task that cuts files knows of most repetitions itself. It <em>tells</em> of a chunk only when it comes across it
 * for the first time, or again after long. So a chunk is told of a few times, however often it is there.
 */
final class Sharing {

    /** Chunks by their length, in powers of two. */
    static final int CLASSES = 31;

    private final int groups;
    private final long[] bytes;
    private final long[] told;
    private final long[] different;
    private final long[] shared;
    private final long[] classBytes = new long[CLASSES];
    private final long[] classTold = new long[CLASSES];
    private final long[] classDifferent = new long[CLASSES];

    /** @param groups at least 1 */
    Sharing(int groups) {
        this.groups = groups;
        this.bytes = new long[groups];
        this.told = new long[groups];
        this.different = new long[groups];
        this.shared = new long[groups * groups];
    }

    /**
     * Counts a place where a chunk is.
     *
     * @param length in bytes
     * @param tells whether it is told of
     */
    void addPlace(int group, int length, boolean tells) {
        bytes[group] += length;
        classBytes[sizeOf(length)] += length;
        if (tells) {
            told[group] += length;
            classTold[sizeOf(length)] += length;
        }
    }

    /**
     * Counts a different chunk, once and for all.
     *
     * @param length in bytes
     * @param times how often it was told of, by groups
     */
    void addDifferent(int length, long... times) {
        for (int group = 0; group < groups; group++) {
            if (times[group] > 0) {
                told[group] += times[group] * length;
                classTold[sizeOf(length)] += times[group] * length;
                different[group] += length;
                for (int other = 0; other < groups; other++) {
                    shared[group * groups + other] += times[other] > 0 ? length : 0;
                }
            }
        }
        classDifferent[sizeOf(length)] += length;
    }

    private static int sizeOf(int length) {
        return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(length);
    }

    /** Adds what another one has counted. */
    void add(Sharing other) {
        long[][] to = arrays();
        long[][] more = other.arrays();
        for (int array = 0; array < to.length; array++) {
            for (int i = 0; i < to[array].length; i++) {
                to[array][i] += more[array][i];
            }
        }
    }

    int groups() {
        return groups;
    }

    /** Of a group's chunks, wherever they are. */
    long bytes(int group) {
        return bytes[group];
    }

    /** Of a group's chunks that were told of. */
    long told(int group) {
        return told[group];
    }

    /** Of a group's chunks that are different from each other. */
    long different(int group) {
        return different[group];
    }

    /** Of different chunks that both groups have. */
    long shared(int group, int other) {
        return shared[group * groups + other];
    }

    /** Of all chunks of a length from 2^{@code size} to before twice that. */
    long bytesOfSize(int size) {
        return classBytes[size];
    }

    /** Of those, what was told of. */
    long toldOfSize(int size) {
        return classTold[size];
    }

    /** Of those, what is different. */
    long differentOfSize(int size) {
        return classDifferent[size];
    }

    /** Of all chunks. */
    long bytes() {
        return sum(classBytes);
    }

    /** Of all that was told of. */
    long told() {
        return sum(classTold);
    }

    /** Of all different chunks, whichever groups have them. */
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
        return new long[][] {bytes, told, different, shared, classBytes, classTold, classDifferent};
    }
}
