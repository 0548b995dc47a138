// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.quota;

import io.shredder.backup.agent.catalogue.CatalogueEntry;
import io.shredder.backup.snapshot.SnapshotName;
import java.io.IOException;
import java.util.function.LongSupplier;

/**
 * One namespace: how long its images are, how long those are that sessions have begun, and what was put for neither.
 * Thread-safe; whoever holds its lock may ask the catalogue, and takes no other.
 *
 * <p>The file has at least what was put: it is written ahead, so that it needs to be written seldom, and a crash makes
 * the namespace poorer by at most 1/{@value #AHEAD_PARTS} of its quota.
 */
final class NamespaceAccount {

    private static final int AHEAD_PARTS = 64;
    private static final long LEAST_AHEAD_BYTES = 1 << 20;

    /** About what a region takes on disk at least, however short its chunks are. */
    private static final int LEAST_REGION_BYTES = 512;

    /** What a region of chunks of a usual length takes on disk beside it, at most, is not counted. */
    private static final int USUAL_OVERHEAD_PARTS = 16;

    /**
     * What short regions take beyond their length is not counted before it is so much: every image may end with one.
     */
    private static final long FREE_BYTES = 1 << 20;

    private final SnapshotName namespace;
    private final LongSupplier catalogue;
    private final PutBytesFile file;

    /** As which images in the catalogue count, as far as is known here; it may be less after a deletion. */
    private long imageBytes;

    private long begunBytes;
    /** Of those that are begun, whose images may be said to be short. */
    private long listBytes;

    private long putBytes;
    private long openPutBytes;
    private long writtenBytes;
    private long freeBytes = FREE_BYTES;

    NamespaceAccount(SnapshotName namespace, LongSupplier catalogue, PutBytesFile file) throws IOException {
        this.namespace = namespace;
        this.catalogue = catalogue;
        this.file = file;
        this.imageBytes = catalogue.getAsLong();
        this.putBytes = file.read();
        this.writtenBytes = putBytes;
    }

    SnapshotName namespace() {
        return namespace;
    }

    /** Refuses images that would be longer by this, beside those that are begun; else remembers that one is. */
    synchronized void begin(long bytes, long reserved, long quota) throws QuotaException {
        checkImages(bytes, quota);
        begunBytes += reserved;
    }

    /** An image of this length, which was reserved, is not under way any more. */
    synchronized void end(long reserved) {
        begunBytes -= reserved;
    }

    /** A list that is under way grows; refused if all of them together would be longer than the quota. */
    synchronized void listGrows(long bytes, long quota) throws QuotaException {
        if (sum(listBytes, bytes, 0) > quota) {
            throw new QuotaException("namespace " + namespace + " may keep " + quota
                    + " bytes, and the lists of backups under way have " + listBytes
                    + ": let some end, or raise its quota in the agent's file of rights");
        }
        listBytes += bytes;
    }

    /** Lists of this length are published, or dropped. */
    synchronized void listsEnd(long bytes) {
        listBytes -= bytes;
    }

    /** Refuses images that would be longer by this, beside those that are begun. */
    synchronized void checkImages(long moreBytes, long quota) throws QuotaException {
        if (sum(imageBytes, begunBytes, moreBytes) > quota) {
            imageBytes = catalogue.getAsLong();
        }
        if (sum(imageBytes, begunBytes, moreBytes) > quota) {
            String others = begunBytes > 0 ? ", and " + begunBytes + " that are being backed up" : "";
            throw new QuotaException("namespace " + namespace + " may keep " + quota + " bytes of images and has "
                    + imageBytes + others + ": prune snapshots, or raise its quota in the agent's file of rights");
        }
    }

    /**
     * Counts a region that is about to be stored, durably; or refuses it.
     *
     * @param plainBytes of its chunks together
     * @param diskBytes that it takes: more than its length where chunks are very short
     * @return as how long it counts
     */
    synchronized long put(long plainBytes, long diskBytes, long quota) throws IOException, QuotaException {
        long usual = plainBytes + plainBytes / USUAL_OVERHEAD_PARTS + LEAST_REGION_BYTES;
        long more = Math.max(0, Math.max(LEAST_REGION_BYTES - plainBytes, diskBytes - usual));
        long bytes = more <= freeBytes ? plainBytes : plainBytes + more;
        if (sum(imageBytes, putBytes, bytes) > quota) {
            imageBytes = catalogue.getAsLong();
        }
        if (sum(imageBytes, putBytes, bytes) > quota) {
            throw new QuotaException("namespace " + namespace + " may keep " + quota + " bytes and has images of "
                    + imageBytes + ", and " + putBytes + " that it sent for none of them: prune snapshots and run"
                    + " 'shredder-backup gc', or raise its quota in the agent's file of rights");
        }
        if (putBytes + bytes > writtenBytes) {
            write(putBytes + bytes + Math.max(LEAST_AHEAD_BYTES, quota / AHEAD_PARTS));
        }
        freeBytes = Math.max(0, freeBytes - more);
        putBytes += bytes;
        openPutBytes += bytes;
        return bytes;
    }

    /**
     * Checks that there is room for an image and publishes it, in one step.
     *
     * @param reserved of it by {@link #begin}
     * @return what the image accounts for of what was put
     */
    synchronized <T> T commit(long bytes, long reserved, long quota, SessionQuota.Publication<T> image)
            throws IOException, QuotaException {
        long counted = CatalogueEntry.quotaBytes(bytes);
        checkImages(counted - reserved, quota);
        T published = image.publish();
        imageBytes = sum(imageBytes, counted, 0);
        putBytes = Math.max(0, putBytes - bytes);
        openPutBytes = Math.min(openPutBytes, putBytes);
        return published;
    }

    /** Lengths are what clients say: the sum is the largest number if it is more. Only the last may be negative. */
    private static long sum(long one, long other, long more) {
        long both = one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
        return more > Long.MAX_VALUE - both ? Long.MAX_VALUE : both + more;
    }

    /** A session is gone that has put so much. */
    synchronized void settle(long bytes) {
        openPutBytes = Math.max(0, openPutBytes - bytes);
    }

    /** What nobody is going to point to, unless an image accounts for it before a collection has taken it. */
    synchronized long settledBytes() {
        return putBytes - openPutBytes;
    }

    /** A collection took these. */
    synchronized void collected(long bytes) throws IOException {
        putBytes = Math.max(openPutBytes, putBytes - bytes);
        save();
    }

    /** Writes down what is so. */
    synchronized void save() throws IOException {
        if (writtenBytes != putBytes) {
            write(putBytes);
        }
    }

    private void write(long bytes) throws IOException {
        file.write(bytes);
        writtenBytes = bytes;
    }
}
