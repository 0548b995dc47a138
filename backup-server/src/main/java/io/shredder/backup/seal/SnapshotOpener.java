// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import javax.crypto.AEADBadTagException;

/** Opens a snapshot's list and proves it as sealed: nothing left out, moved or added. One thread at a time. */
public final class SnapshotOpener {

    private final SnapshotInfo snapshot;
    private final ListCipher cipher;
    private final boolean shared;

    /**
     * Opens this snapshot.
     *
     * @throws WrongKeyException if it was sealed with another key
     */
    public SnapshotOpener(RepositoryKey key, SnapshotInfo snapshot) throws WrongKeyException {
        if (!snapshot.seal().key().equals(key.id())) {
            throw new WrongKeyException(snapshot, key.id());
        }
        this.snapshot = snapshot;
        this.cipher = new ListCipher(key, snapshot.seal());
        this.shared = snapshot.seal().isShared();
    }

    /** What the snapshot says of itself; refused if the agent says otherwise. */
    public SnapshotSummary summary() throws IOException {
        SnapshotSummary summary;
        try {
            summary = openSummary();
        } catch (AEADBadTagException e) {
            throw broken("its summary's seal is broken");
        }
        if (summary.imageBytes() != snapshot.imageBytes() || summary.chunkCount() != snapshot.chunkCount()) {
            throw broken("the agent says it has " + snapshot.imageBytes() + " bytes in " + snapshot.chunkCount()
                    + " chunks, but " + summary.imageBytes() + " in " + summary.chunkCount() + " were sealed");
        }
        return summary;
    }

    private SnapshotSummary openSummary() throws IOException, AEADBadTagException {
        String source = "summary of " + text();
        SignedSummary signed = SignedSummary.of(snapshot.summary());
        if (signed == null) {
            return SnapshotSummary.readUnplaced(cipher.openSummary(snapshot.name(), array(snapshot.summary())), source);
        }
        byte[] open = SummarySealer.openBytes(snapshot.name(), snapshot.contentDigest());
        try {
            return SnapshotSummary.readPlaced(cipher.openPlacedSummary(open, signed.sealed()), source);
        } catch (AEADBadTagException e) {
            // One of version 2 may begin as those of version 3 do.
            return SnapshotSummary.readUnplaced(cipher.openSummary(snapshot.name(), array(snapshot.summary())), source);
        }
    }

    /**
     * The entries of a page, in the order of the image. That a page of a shared list belongs to it, its digest tells.
     *
     * @param number which page was asked for
     */
    public List<PointerRun> entries(int number, ListPage page) throws IOException {
        ByteBuffer plain;
        try {
            plain = ByteBuffer.wrap(open(number, page));
        } catch (AEADBadTagException e) {
            throw broken("the seal of page " + number + " of its list is broken");
        }
        List<PointerRun> entries = new ArrayList<>();
        try {
            while (plain.hasRemaining()) {
                entries.add(entry(plain, page.references()));
            }
        } catch (BufferUnderflowException | IllegalArgumentException | IndexOutOfBoundsException e) {
            throw broken("pointer " + entries.size() + " of page " + number + " of its list makes no sense: "
                    + e.getMessage());
        }
        if (!shared && entries.size() != expectedPointers(number)) {
            throw broken("page " + number + " of its list has " + entries.size() + " pointers");
        }
        return entries;
    }

    private byte[] open(int number, ListPage page) throws AEADBadTagException {
        byte[] sealed = array(page.sealed());
        return shared
                ? cipher.openSharedPage(page.references(), sealed)
                : cipher.openPage(number, page.references(), sealed);
    }

    private PointerRun entry(ByteBuffer plain, List<Fingerprint> references) {
        int place = Short.toUnsignedInt(plain.getShort());
        boolean part = (place & SnapshotSealer.PART) != 0;
        boolean run = shared && !part && (place & SnapshotSealer.RUN) != 0;
        int index = place & ~(part ? SnapshotSealer.PART : run ? SnapshotSealer.RUN : 0);
        ChunkRef chunk = new ChunkRef(plain.getInt(), references.get(index));
        Pointer pointer = part ? new Pointer(chunk, plain.getInt(), plain.getInt()) : Pointer.to(chunk);
        return new PointerRun(pointer, run ? plain.getInt() : 1);
    }

    private int expectedPointers(int number) {
        long before = (long) number * ListPage.MAX_POINTERS;
        return (int) Math.min(ListPage.MAX_POINTERS, snapshot.chunkCount() - before);
    }

    private static byte[] array(SealedBytes sealed) {
        byte[] bytes = new byte[sealed.length()];
        sealed.view().get(bytes);
        return bytes;
    }

    private IOException broken(String problem) {
        return new IOException(text() + ": " + problem
                + ": the agent's copy was damaged or forged; run 'shredder-backup verify', use another snapshot");
    }

    private String text() {
        return "snapshot " + snapshot.name() + "@" + snapshot.id();
    }
}
