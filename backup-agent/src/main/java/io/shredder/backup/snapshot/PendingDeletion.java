// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.snapshot;

import io.shredder.backup.bytes.BodyReader;
import io.shredder.backup.bytes.Texts;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A deletion that one client asked for and that waits until another one confirms it: these snapshots, as they were
 * then, and no others. Immutable.
 *
 * @param id of the namespace's requests; it never comes back
 * @param client who asked
 * @param asked when, by the agent's clock
 * @param until when it may be confirmed
 * @param snapshots in the order of their ids; none if it was withdrawn
 */
public record PendingDeletion(
        long id, SnapshotName client, Instant asked, Instant until, List<PendingDeletion.Going> snapshots) {

    /** No request is longer, on the wire or in a file. */
    public static final int MAX_BYTES = 256 << 10;

    /** As many as one request can name. */
    public static final int MAX_SNAPSHOTS = 1024;

    /** Copies the list. */
    public PendingDeletion {
        snapshots = List.copyOf(snapshots);
    }

    /**
     * A snapshot that is to go.
     *
     * @param id the agent's
     * @param name of its series
     * @param received when the agent committed it; the beginning of 1970 if its file could never be read
     * @param imageBytes length of its image
     * @param contentDigest see {@link ContentDigest}; zeros if its file could never be read
     */
    public record Going(long id, SnapshotName name, Instant received, long imageBytes, Fingerprint contentDigest) {

        /** As an agent knows it. */
        public static Going of(SnapshotInfo info) {
            return new Going(info.id(), info.name(), info.received(), info.imageBytes(), info.contentDigest());
        }

        /** One whose file could never be read. */
        public static Going unreadable(long id, SnapshotName name) {
            return new Going(id, name, Instant.EPOCH, 0, Fingerprint.read(ByteBuffer.allocate(Fingerprint.BYTES)));
        }

        private int encodedBytes() {
            return 3 * Long.BYTES + Fingerprint.BYTES + Texts.encodedBytes(name.value());
        }

        private void write(ByteBuffer target) {
            target.putLong(id).putLong(received.toEpochMilli()).putLong(imageBytes);
            contentDigest.write(target);
            Texts.write(name.value(), target);
        }

        private static Going read(BodyReader in) throws DamagedDataException {
            long id = in.u63("snapshot id");
            Instant received = Instant.ofEpochMilli(in.u63("receive time"));
            long imageBytes = in.u63("image length");
            Fingerprint digest = in.fingerprint("content digest");
            return new Going(id, SnapshotInfo.name(in), received, imageBytes, digest);
        }
    }

    /** Length in messages and files. */
    public int encodedBytes() {
        return 3 * Long.BYTES
                + Texts.encodedBytes(client.value())
                + Integer.BYTES
                + snapshots.stream().mapToInt(Going::encodedBytes).sum();
    }

    /** Writes {@link #encodedBytes} bytes at the position of {@code target}, which must be big-endian. */
    public void write(ByteBuffer target) {
        target.putLong(id).putLong(asked.toEpochMilli()).putLong(until.toEpochMilli());
        Texts.write(client.value(), target);
        target.putInt(snapshots.size());
        snapshots.forEach(going -> going.write(target));
    }

    /** Reads one. */
    public static PendingDeletion read(BodyReader in) throws DamagedDataException {
        long id = in.u63("request id");
        Instant asked = Instant.ofEpochMilli(in.u63("time of asking"));
        Instant until = Instant.ofEpochMilli(in.u63("last time"));
        SnapshotName client = SnapshotInfo.name(in);
        int count = in.length("count", MAX_SNAPSHOTS);
        List<Going> snapshots = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            snapshots.add(Going.read(in));
        }
        return new PendingDeletion(id, client, asked, until, snapshots);
    }

    /** Of all that it says: whoever confirms says what was looked at. */
    public Fingerprint digest() {
        ByteBuffer bytes = ByteBuffer.allocate(encodedBytes());
        write(bytes);
        return Fingerprint.ofData(bytes.flip());
    }

    /** The ids of its snapshots, ascending. */
    public List<Long> ids() {
        return snapshots.stream().map(Going::id).toList();
    }

    @Override
    public String toString() {
        return "request " + id + " of client " + client + ", asked on " + asked + ", to delete snapshots " + ids()
                + " waits until " + until + " for another client to confirm it";
    }
}
