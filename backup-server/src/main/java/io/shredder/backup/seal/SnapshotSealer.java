// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.snapshot.SnapshotSeal;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;

/** Seals the list of one new snapshot, page by page. One thread at a time. */
public final class SnapshotSealer {

    /** Added to the place of a reference: the pointer is to a part of the chunk. */
    static final int PART = 1 << 15;

    /** Added to the place of a reference: the pointer comes several times. */
    static final int RUN = 1 << 14;

    /** A pointer to a whole chunk on a sealed page: which reference 2, length of the chunk 4. */
    private static final int WHOLE_BYTES = 6;

    /** To a part: from where in the chunk 4, and length 4, too. */
    private static final int PART_BYTES = WHOLE_BYTES + 8;

    /** To a whole chunk several times: how many times 4, too. */
    private static final int RUN_BYTES = WHOLE_BYTES + 4;

    private final SnapshotSeal seal;
    private final SnapshotName name;
    private final RepositoryKey key;
    private final SecureRandom random;
    private final ListCipher cipher;

    private SnapshotSealer(RepositoryKey key, SnapshotSeal seal, SnapshotName name, SecureRandom random) {
        this.seal = seal;
        this.name = name;
        this.key = key;
        this.random = random;
        this.cipher = new ListCipher(key, seal);
    }

    /** Begins a snapshot of this series whose list shares nothing with others: draws its salt. */
    public static SnapshotSealer ofPrivateList(RepositoryKey key, SnapshotName name, SecureRandom random) {
        UUID salt = new UUID(random.nextLong(), random.nextLong());
        return new SnapshotSealer(key, new SnapshotSeal(key.id(), salt), name, random);
    }

    /** Begins a snapshot of this series whose list may share pages with others of the key. */
    public static SnapshotSealer ofSharedList(RepositoryKey key, SnapshotName name, SecureRandom random) {
        return new SnapshotSealer(key, SnapshotSeal.shared(key.id()), name, random);
    }

    /** To be sent when the snapshot begins. */
    public SnapshotSeal seal() {
        return seal;
    }

    /**
     * A page, of pointers in the order of the image: of a private list as many as a page has, fewer only on the last,
     * none of them a run.
     *
     * @param number of the page in the list
     */
    public ListPage page(int number, List<PointerRun> entries) {
        TreeSet<Fingerprint> distinct = new TreeSet<>();
        entries.forEach(entry -> distinct.add(entry.pointer().fingerprint()));
        List<Fingerprint> references = List.copyOf(distinct);
        Map<Fingerprint, Integer> places = new HashMap<>();
        for (int i = 0; i < references.size(); i++) {
            places.put(references.get(i), i);
        }
        ByteBuffer plain = ByteBuffer.allocate(
                entries.stream().mapToInt(SnapshotSealer::bytes).sum());
        for (PointerRun entry : entries) {
            write(
                    entry,
                    java.util.Objects.requireNonNull(places.get(entry.pointer().fingerprint())),
                    plain);
        }
        byte[] sealed = seal.isShared()
                ? cipher.sealSharedPage(references, plain.array())
                : cipher.sealPage(number, references, plain.array());
        return new ListPage(number, references, new SealedBytes(sealed));
    }

    private static int bytes(PointerRun entry) {
        return !entry.pointer().isWhole() ? PART_BYTES : entry.count() > 1 ? RUN_BYTES : WHOLE_BYTES;
    }

    private static void write(PointerRun entry, int place, ByteBuffer plain) {
        Pointer pointer = entry.pointer();
        int flag = !pointer.isWhole() ? PART : entry.count() > 1 ? RUN : 0;
        plain.putShort((short) (place | flag)).putInt(pointer.chunk().length());
        if (flag == PART) {
            plain.putInt(pointer.from()).putInt(pointer.length());
        } else if (flag == RUN) {
            plain.putInt(entry.count());
        }
    }

    /** What seals the summary, once the list is whole. */
    public SummarySealer summaries() {
        return new SummarySealer(key, seal, name, random);
    }
}
