// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.snapshot.SnapshotSeal;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
        Entry[] sorted = new Entry[entries.size()];
        int bytes = 0;
        for (int i = 0; i < sorted.length; i++) {
            PointerRun entry = entries.get(i);
            sorted[i] = new Entry(entry.pointer().fingerprint(), i);
            bytes += bytes(entry);
        }
        Arrays.sort(sorted);
        List<Fingerprint> references = new ArrayList<>(sorted.length);
        int[] places = new int[sorted.length];
        for (Entry entry : sorted) {
            int last = references.size() - 1;
            if (last < 0 || !references.get(last).equals(entry.reference())) {
                references.add(entry.reference());
            }
            places[entry.number()] = references.size() - 1;
        }
        ByteBuffer plain = ByteBuffer.allocate(bytes);
        for (int i = 0; i < places.length; i++) {
            write(entries.get(i), places[i], plain);
        }
        byte[] sealed = seal.isShared()
                ? cipher.sealSharedPage(references, plain.array())
                : cipher.sealPage(number, references, plain.array());
        return new ListPage(number, List.copyOf(references), new SealedBytes(sealed));
    }

    /** Which chunk an entry of a page points to, and which entry it is; by the chunk. */
    private record Entry(Fingerprint reference, int number) implements Comparable<Entry> {
        @Override
        public int compareTo(Entry other) {
            return reference.compareTo(other.reference);
        }
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
