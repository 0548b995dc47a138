// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.quota;

import io.shredder.backup.agent.catalogue.CatalogueEntry;
import io.shredder.backup.snapshot.SnapshotName;
import java.io.Closeable;
import java.io.IOException;
import java.util.OptionalLong;

/** What one session does against its namespace's quota, if that has one. One thread. */
public final class SessionQuota implements Closeable {

    private final PutLedger ledger;
    private final SnapshotName namespace;
    private final OptionalLong quota;
    private long reservedBytes;
    private long putBytes;
    /** Of what is begun. */
    private long listBytes;

    /** What makes a snapshot appear. */
    public interface Publication<T> {
        /** Publishes it; it is durable when this returns. */
        T publish() throws IOException;
    }

    SessionQuota(PutLedger ledger, SnapshotName namespace, OptionalLong quota) {
        this.ledger = ledger;
        this.namespace = namespace;
        this.quota = quota;
    }

    /** An image begins; its length is reserved if it is known, and refused if there is no room for it. */
    public void begin(long imageBytes) throws IOException, QuotaException {
        if (quota.isPresent()) {
            account().end(reservedBytes); // Of one that then could not begin.
            reservedBytes = 0;
            long bytes = CatalogueEntry.quotaBytes(imageBytes);
            long reserved = imageBytes == 0 ? 0 : bytes;
            account().begin(bytes, reserved, quota.getAsLong());
            reservedBytes = reserved;
        }
    }

    /**
     * The begun image turns out to be at least so long. Its list must not be longer than it counts, nor all lists that
     * are under way longer than the quota, so that lists, too, stay within it.
     *
     * @param moreListBytes by which its list grows
     */
    public void grows(long imageBytes, long moreListBytes) throws IOException, QuotaException {
        if (quota.isEmpty()) {
            return;
        }
        long image = CatalogueEntry.quotaBytes(Math.max(imageBytes, reservedBytes));
        long longest = Math.min(image, quota.getAsLong());
        if (listBytes + moreListBytes > longest) {
            throw new QuotaException(
                    "namespace " + namespace + " has a quota, so no list may be longer than " + longest
                            + " bytes, as long as its image is known to be: back up with longer chunks, or from a file instead of a stream");
        }
        if (imageBytes > reservedBytes) {
            account().checkImages(imageBytes - reservedBytes, quota.getAsLong());
        }
        account().listGrows(moreListBytes, quota.getAsLong());
        listBytes += moreListBytes;
    }

    /** A region whose chunks are together so long, and which takes so much on disk, is about to be stored. */
    public void put(long plainBytes, long diskBytes) throws IOException, QuotaException {
        if (quota.isPresent()) {
            putBytes += account().put(plainBytes, diskBytes, quota.getAsLong());
        }
    }

    /** Publishes the begun image if there is room for it. */
    public <T> T commit(long imageBytes, Publication<T> image) throws IOException, QuotaException {
        return quota.isEmpty()
                ? image.publish()
                : account().commit(imageBytes, reservedBytes, quota.getAsLong(), image);
    }

    /** The begun image is published, or dropped. */
    public void draftEnds() throws IOException {
        if (reservedBytes > 0 || putBytes > 0 || listBytes > 0) {
            account().end(reservedBytes);
            account().settle(putBytes);
            account().listsEnd(listBytes);
            reservedBytes = 0;
            putBytes = 0;
            listBytes = 0;
        }
    }

    private NamespaceAccount account() throws IOException {
        return ledger.account(namespace);
    }

    @Override
    public void close() throws IOException {
        draftEnds();
    }
}
