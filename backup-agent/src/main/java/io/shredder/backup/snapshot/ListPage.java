// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.snapshot;

import io.shredder.backup.bytes.BodyReader;
import io.shredder.backup.bytes.SealedBytes;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A page of a snapshot's chunk list. In a private list it has {@link #MAX_POINTERS} pointers, fewer only on
 * the last; in a shared list it ends where contents say, has at most as many entries, and may be in other lists, too
 * ({@link SnapshotSeal#isShared}). What an agent must know to keep the chunks is open: the set of their identities,
 * ascending, each once. Their order, repetition and lengths are sealed.
 *
 * @param number in its list, from 0
 * @param references identities of the page's chunks, strictly ascending, at least one
 * @param sealed the pointers, as {@code docs/formats/seal.md} says
 */
public record ListPage(int number, List<Fingerprint> references, SealedBytes sealed) {

    /** Pointers in each page of a private list but the last; no page has more. */
    public static final int MAX_POINTERS = 4096;

    /**
     * How many times as long as the image the chunks may be, at most, that a list points to, each counted once a page:
     * where only a part of a chunk is pointed to, they are longer than the image.
     */
    public static final int MOST_POINTED = 4;

    /** The most sealed bytes a page has: 14 bytes a pointer, the tag, and what a shared page's key is made of. */
    public static final int MAX_SEALED_BYTES = 14 * MAX_POINTERS + 16 + 32;

    private static final int FIXED_BYTES = 12;
    private static final byte[] DIGEST_LABEL = "shredder page 3".getBytes(StandardCharsets.US_ASCII);

    /** The most pages a private list has. */
    private static final int MAX_PAGES = 1 << 27;

    /**
     * The most pages a shared list, or a pack of pages, has, each of 512 chunks or more: time and memory for any list
     * stay bounded, whatever it says.
     */
    public static final int MAX_SHARED_PAGES = 1 << 20;

    /** The longest page. */
    public static final int MAX_BYTES = FIXED_BYTES + MAX_POINTERS * Fingerprint.BYTES + MAX_SEALED_BYTES;

    /** Refuses pages that no list has. */
    public ListPage {
        if (number < 0) {
            throw new IllegalArgumentException("page number " + number + " is negative");
        }
        String problem = problem(references, sealed.length());
        if (problem != null) {
            throw new IllegalArgumentException(problem);
        }
    }

    private static @org.jspecify.annotations.Nullable String problem(List<Fingerprint> references, int sealedBytes) {
        if (references.isEmpty() || references.size() > MAX_POINTERS) {
            return references.size() + " references in a page";
        }
        if (sealedBytes < 1 || sealedBytes > MAX_SEALED_BYTES) {
            return sealedBytes + " sealed bytes in a page";
        }
        for (int i = 1; i < references.size(); i++) {
            if (references.get(i - 1).compareTo(references.get(i)) >= 0) {
                return "reference " + i + " of a page is not above the one before";
            }
        }
        return null;
    }

    /** How many pages a private list of so many pointers has; at most 2^27, for no image has more. */
    public static int pages(long pointers) {
        return (int) Math.min(MAX_PAGES, (pointers - 1) / MAX_POINTERS + (pointers > 0 ? 1 : 0));
    }

    /** The digest that names a page of shared lists, whatever its number: SHA-256 of a label and all else. */
    public Fingerprint digest() {
        ByteBuffer bytes = ByteBuffer.allocate(DIGEST_LABEL.length + bytesWithoutNumber());
        bytes.put(DIGEST_LABEL);
        writeWithoutNumber(bytes);
        return Fingerprint.ofData(bytes.flip());
    }

    /** The same page in another place. */
    public ListPage at(int place) {
        return place == number ? this : new ListPage(place, references, sealed);
    }

    /** Length of what {@link #writeWithoutNumber} writes. */
    public int bytesWithoutNumber() {
        return encodedBytes() - Integer.BYTES;
    }

    /** Writes all but the number. */
    public void writeWithoutNumber(ByteBuffer target) {
        target.putInt(references.size()).putInt(sealed.length());
        references.forEach(reference -> reference.write(target));
        sealed.write(target);
    }

    /** Length in messages and files. */
    public int encodedBytes() {
        return FIXED_BYTES + references.size() * Fingerprint.BYTES + sealed.length();
    }

    /** Writes {@link #encodedBytes} bytes at the position of {@code target}, which must be big-endian. */
    public void write(ByteBuffer target) {
        target.putInt(number);
        writeWithoutNumber(target);
    }

    /** Reads one. */
    public static ListPage read(BodyReader in) throws DamagedDataException {
        return readWithoutNumber(in.length("page number", Integer.MAX_VALUE), in);
    }

    /** Reads what {@link #writeWithoutNumber} wrote. */
    public static ListPage readWithoutNumber(int number, BodyReader in) throws DamagedDataException {
        int count = in.length("reference count", MAX_POINTERS);
        int sealedBytes = in.length("sealed length", MAX_SEALED_BYTES);
        List<Fingerprint> references = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            references.add(in.fingerprint("reference"));
        }
        SealedBytes sealed = in.sealed("sealed pointers", sealedBytes);
        String problem = problem(references, sealedBytes);
        if (problem != null) {
            throw in.damaged(problem);
        }
        return new ListPage(number, references, sealed);
    }
}
