// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.report;

/**
 * What all chunks share, by a sample of them; exactly, if the sample is all. All that was told of is known, and of the
 * sample also how much of it is different. That part is taken to be the same of all.
 *
 * <p>The sample is by content, so it has all places of a chunk or none. What repeats much, such as zeros, was told of
 * few times: whether it is in the sample makes no difference.
 *
 * @param all places of all chunks, without those that are different
 * @param sample different chunks that were asked for
 */
public record SharingEstimate(Sharing all, Sharing sample) {

    /** Of no chunk. */
    public static SharingEstimate none() {
        return new SharingEstimate(new Sharing(1), new Sharing(1));
    }

    long bytes() {
        return all.bytes();
    }

    long different() {
        return part(all.told(), sample.told(), sample.different());
    }

    long bytes(int group) {
        return all.bytes(group);
    }

    long different(int group) {
        return part(all.told(group), sample.told(group), sample.different(group));
    }

    /** Of different chunks that both groups have. */
    long shared(int group, int other) {
        long shared = sample.shared(group, other);
        long most = Math.min(different(group), different(other));
        return Math.min(most, (scaled(shared, group) + scaled(shared, other)) / 2);
    }

    private long scaled(long bytes, int group) {
        return sample.told(group) == 0 ? 0 : part(all.told(group), sample.told(group), bytes);
    }

    long bytesOfSize(int size) {
        return all.bytesOfSize(size);
    }

    long differentOfSize(int size) {
        return part(all.toldOfSize(size), sample.toldOfSize(size), sample.differentOfSize(size));
    }

    /** Nothing is known of what has no chunk in the sample: all of it may be different. */
    private static long part(long told, long toldOfSample, long ofSample) {
        if (told == toldOfSample) {
            return ofSample;
        }
        return toldOfSample == 0 ? told : Math.round((double) told / toldOfSample * ofSample);
    }
}
