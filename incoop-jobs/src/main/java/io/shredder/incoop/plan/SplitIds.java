// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.plan;

import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import io.shredder.incoop.input.InputChunk;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;

/** What a split's part file follows from, and is kept under: {@code docs/formats/memo.md}, "Part files of splits". */
final class SplitIds {

    private static final byte[] DOMAIN = "shredder split".getBytes(StandardCharsets.US_ASCII);
    private static final int AT_START = 1;
    private static final int TO_END = 2;

    private final Fingerprint outputIdentity;

    /** @param outputIdentity of the job's output side */
    SplitIds(Fingerprint outputIdentity) {
        this.outputIdentity = outputIdentity;
    }

    /** Which chunks a reader of a split reads of: from the one that it begins in to the one behind that it ends in. */
    record Touched(int first, int behind) {}

    /**
     * The bytes that a split's part file follows from.
     *
     * @param chunks all of its file, in order
     * @param state of the file before they were looked up
     * @return empty if the split does not lie in these
     */
    Optional<PlannedSplit.KnownBytes> of(FileSplit split, List<InputChunk> chunks, String state) {
        Optional<Touched> touched = touched(split.getStart(), split.getLength(), chunks);
        return touched.map(found -> {
            List<InputChunk> read = chunks.subList(found.first(), found.behind());
            boolean toEnd = found.behind() == chunks.size();
            return new PlannedSplit.KnownBytes(key(split, read, toEnd), state, read);
        });
    }

    /** A split's last record may begin where the split ends, and end where the next chunk begins. */
    static Optional<Touched> touched(long start, long length, List<InputChunk> chunks) {
        int first = holding(start, chunks);
        long fileEnd = chunks.isEmpty() ? 0 : chunks.get(chunks.size() - 1).end();
        long end = start + length;
        if (first < 0 || start < 0 || length < 0 || end > fileEnd) {
            return Optional.empty();
        }
        int last = end == fileEnd ? chunks.size() - 1 : holding(end, chunks);
        return Optional.of(new Touched(first, Math.min(chunks.size(), last + 2)));
    }

    /** The chunk that holds a byte; the only one of an empty file holds what would be its first. */
    private static int holding(long offset, List<InputChunk> chunks) {
        int low = 0;
        int high = chunks.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (chunks.get(middle).offset() <= offset) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return high;
    }

    private Fingerprint key(FileSplit split, List<InputChunk> read, boolean toEnd) {
        MessageDigest digest = DigestAlgorithm.SHA_256.newMessageDigest();
        digest.update(DOMAIN);
        digest.update(outputIdentity.toBytes());
        ByteBuffer place = ByteBuffer.allocate(1 + 2 * Long.BYTES + Integer.BYTES);
        place.put((byte) ((split.getStart() == 0 ? AT_START : 0) | (toEnd ? TO_END : 0)));
        place.putLong(split.getStart() - read.get(0).offset());
        place.putLong(split.getLength());
        place.putInt(read.size());
        digest.update(place.flip());
        for (InputChunk chunk : read) {
            digest.update(chunk.fingerprint().toBytes());
        }
        return Fingerprint.of(digest.digest());
    }
}
