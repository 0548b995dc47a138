// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import io.shredder.backup.protocol.ListPage;
import io.shredder.backup.protocol.SealedBytes;
import io.shredder.backup.protocol.SnapshotName;
import io.shredder.backup.protocol.SnapshotSeal;
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

    /** A pointer to a whole chunk on a sealed page: which reference 2, length of the chunk 4. */
    private static final int WHOLE_BYTES = 6;

    /** To a part: from where in the chunk 4, and length 4, too. */
    private static final int PART_BYTES = WHOLE_BYTES + 8;

    private final SnapshotSeal seal;
    private final SnapshotName name;
    private final RepositoryKey key;
    private final SecureRandom random;
    private final ListCipher cipher;

    private int pages;

    /** Begins a snapshot of this series: draws its salt. */
    public SnapshotSealer(RepositoryKey key, SnapshotName name, SecureRandom random) {
        this.seal = new SnapshotSeal(key.id(), new UUID(random.nextLong(), random.nextLong()));
        this.name = name;
        this.key = key;
        this.random = random;
        this.cipher = new ListCipher(key, seal);
    }

    /** To be sent when the snapshot begins. */
    public SnapshotSeal seal() {
        return seal;
    }

    /** The next page, of pointers in the order of the image: as many as a page has, fewer only on the last. */
    public ListPage page(List<Pointer> pointers) {
        TreeSet<Fingerprint> distinct = new TreeSet<>();
        pointers.forEach(pointer -> distinct.add(pointer.fingerprint()));
        List<Fingerprint> references = List.copyOf(distinct);
        Map<Fingerprint, Integer> places = new HashMap<>();
        for (int i = 0; i < references.size(); i++) {
            places.put(references.get(i), i);
        }
        ByteBuffer plain = ByteBuffer.allocate(pointers.stream()
                .mapToInt(pointer -> pointer.isWhole() ? WHOLE_BYTES : PART_BYTES)
                .sum());
        for (Pointer pointer : pointers) {
            int place = java.util.Objects.requireNonNull(places.get(pointer.fingerprint()));
            if (pointer.isWhole()) {
                plain.putShort((short) place).putInt(pointer.length());
            } else {
                plain.putShort((short) (place | PART)).putInt(pointer.chunk().length());
                plain.putInt(pointer.from()).putInt(pointer.length());
            }
        }
        int number = pages++;
        return new ListPage(number, references, new SealedBytes(cipher.sealPage(number, references, plain.array())));
    }

    /** What seals the summary, once the list is whole. */
    public SummarySealer summaries() {
        return new SummarySealer(key, seal, name, random);
    }
}
