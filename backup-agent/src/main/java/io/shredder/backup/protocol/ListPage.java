// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.protocol;

import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A page of a snapshot's chunk list: {@link WireFormat#PAGE_POINTERS} pointers, fewer only on the last. What an agent must know to keep the
 * chunks is open: the set of their identities, ascending, each once. Their order, repetition and lengths are sealed.
 *
 * @param number from 0
 * @param references identities of the page's chunks, strictly ascending, at least one
 * @param sealed the pointers, as {@code docs/formats/seal.md} says
 */
public record ListPage(int number, List<Fingerprint> references, SealedBytes sealed) {

    /** The most sealed bytes a page has: 14 bytes a pointer and the tag. */
    public static final int MAX_SEALED_BYTES = 14 * WireFormat.PAGE_POINTERS + 16;

    private static final int FIXED_BYTES = 12;
    private static final int MAX_PAGES = 1 << 27;

    /** The longest page. */
    public static final int MAX_BYTES = FIXED_BYTES + WireFormat.PAGE_POINTERS * Fingerprint.BYTES + MAX_SEALED_BYTES;

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
        if (references.isEmpty() || references.size() > WireFormat.PAGE_POINTERS) {
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

    /** How many pages a list of so many pointers has; at most 2^27, for no image has more. */
    public static int pages(long pointers) {
        return (int) Math.min(MAX_PAGES, (pointers - 1) / WireFormat.PAGE_POINTERS + (pointers > 0 ? 1 : 0));
    }

    /** Length in messages and files. */
    public int encodedBytes() {
        return FIXED_BYTES + references.size() * Fingerprint.BYTES + sealed.length();
    }

    /** Writes {@link #encodedBytes} bytes at the position of {@code target}, which must be big-endian. */
    public void write(ByteBuffer target) {
        target.putInt(number).putInt(references.size()).putInt(sealed.length());
        references.forEach(reference -> reference.write(target));
        sealed.write(target);
    }

    /** Reads one. */
    public static ListPage read(BodyReader in) throws DamagedDataException {
        int number = in.length("page number", Integer.MAX_VALUE);
        int count = in.length("reference count", WireFormat.PAGE_POINTERS);
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
