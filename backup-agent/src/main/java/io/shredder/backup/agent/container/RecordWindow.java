// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.container;

import io.shredder.backup.agent.storage.ReadableFile;
import io.shredder.backup.region.ChunkRef;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import io.shredder.engine.MemoryDigests;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads records that lie near each other by one call and digests them side by side, where they were read to. Its memory
 * is one direct buffer as long as the most of them. One thread.
 */
final class RecordWindow {

    private ByteBuffer window = ByteBuffer.allocateDirect(0);

    /**
     * Which of these records are whole and have all that the index says is in them. Of the others it says nothing:
     * whoever reads them one by one learns why.
     *
     * @param near at least one, all in this file
     */
    BitSet whole(ReadableFile file, String name, NearRegions near) throws IOException {
        List<List<ContainerHeads.Entry>> regions = near.regions();
        int base = near.first().offset();
        ByteBuffer bytes = fill(file, base, near.bytes());
        List<Integer> numbers = new ArrayList<>();
        List<Fingerprint> expected = new ArrayList<>();
        int[] places = new int[2 * regions.size()];
        for (int i = 0; i < regions.size(); i++) {
            Optional<RecordHead> head = head(bytes, base, name, regions.get(i));
            if (head.isPresent()) {
                int record = NearRegions.place(regions.get(i)).offset() - base;
                places[2 * numbers.size()] = record + RecordHead.BYTES;
                places[2 * numbers.size() + 1] = head.get().storedBytes();
                numbers.add(i);
                expected.add(head.get().fixed().storedDigest());
            }
        }
        List<Fingerprint> digests =
                MemoryDigests.ofPlaces(DigestAlgorithm.SHA_256, bytes, Arrays.copyOf(places, 2 * numbers.size()));
        BitSet whole = new BitSet(regions.size());
        for (int i = 0; i < digests.size(); i++) {
            whole.set(numbers.get(i), digests.get(i).equals(expected.get(i)));
        }
        return whole;
    }

    /** As much as the file gives: it may end, or have lost what is there. */
    private ByteBuffer fill(ReadableFile file, int from, int count) throws IOException {
        if (window.capacity() < count) {
            window = ByteBuffer.allocateDirect(Math.max(count, NearRegions.MOST_BYTES));
        }
        ByteBuffer bytes = window.clear().limit(count);
        try {
            file.readFully(bytes, from);
        } catch (EOFException | DamagedDataException e) {
            // Records before that place may be whole.
        }
        return bytes.flip();
    }

    /** Empty if the record was not read to its end, or if its head is not whole or not as the index has it. */
    private static Optional<RecordHead> head(
            ByteBuffer bytes, int base, String name, List<ContainerHeads.Entry> together) {
        ChunkLocation at = NearRegions.place(together);
        int from = at.offset() - base;
        if (from + ContainerHeads.recordBytes(at.storedBytes()) > bytes.limit()) {
            return Optional.empty();
        }
        try {
            RecordHead head = RecordHead.read(bytes.slice(from, bytes.limit() - from), name, at.offset());
            head.checkLengths(name, at.offset());
            return head.storedBytes() == at.storedBytes() && has(head, together) ? Optional.of(head) : Optional.empty();
        } catch (DamagedDataException e) {
            return Optional.empty();
        }
    }

    private static boolean has(RecordHead head, List<ContainerHeads.Entry> together) {
        Set<Fingerprint> chunks = new HashSet<>();
        for (ChunkRef chunk : head.chunks()) {
            chunks.add(chunk.fingerprint());
        }
        for (ContainerHeads.Entry chunk : together) {
            if (!chunks.contains(chunk.fingerprint())) {
                return false;
            }
        }
        return true;
    }
}
