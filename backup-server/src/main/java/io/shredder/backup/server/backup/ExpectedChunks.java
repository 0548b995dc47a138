// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.backup;

import io.shredder.backup.seal.Pointer;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which chunks the agent most likely has: those that the series' last snapshot points to near the same place of the
 * image. The agent is asked about them all the same, but nobody needs to keep their bytes until it answers. Holds the
 * pointers of {@value #REACH_BYTES} bytes before and behind the place, so its memory does not grow with the image. One
 * thread.
 */
final class ExpectedChunks {

    private static final Logger LOG = LoggerFactory.getLogger(ExpectedChunks.class);
    private static final long REACH_BYTES = 512L << 20;

    /** The pages of a list, in order. */
    @FunctionalInterface
    interface Pages {
        /** The next; empty after the last. */
        List<Pointer> next() throws IOException;
    }

    /** A page of the old list, and where in the old image its last chunk ends. */
    private record Page(List<Pointer> pointers, long end) {}

    private final Deque<Page> pages = new ArrayDeque<>();
    private final Set<Fingerprint> expected = new HashSet<>();
    private Optional<Pages> last;
    private long readUpTo;

    /** @param last the list of the series' last snapshot, from the start; empty if there is none */
    ExpectedChunks(Optional<Pages> last) {
        this.last = last;
    }

    /**
     * Whether this chunk is expected here.
     *
     * @param offset of the chunk in the new image, never less than the time before
     */
    boolean contains(Fingerprint identity, long offset) {
        while (last.isPresent() && readUpTo < offset + REACH_BYTES) {
            readPage(last.get());
        }
        for (Page first = pages.peek(); first != null && first.end() < offset - REACH_BYTES; first = pages.peek()) {
            pages.remove().pointers().forEach(pointer -> expected.remove(pointer.fingerprint()));
        }
        return expected.contains(identity);
    }

    /** Whatever is wrong with the old list, the new snapshot does not need it. */
    private void readPage(Pages list) {
        try {
            List<Pointer> page = list.next();
            if (page.isEmpty()) {
                last = Optional.empty();
                return;
            }
            for (Pointer pointer : page) {
                expected.add(pointer.fingerprint());
                readUpTo += pointer.length();
            }
            pages.add(new Page(page, readUpTo));
        } catch (IOException e) {
            LOG.info("the last snapshot's list can't be used: {}", e.getMessage());
            last = Optional.empty();
        }
    }
}
