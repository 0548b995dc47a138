// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Seals and writes pages of a run that follow each other, many at a time. One thread; it closes nothing. */
final class PageWriter {

    private final IndexFolder.File file;
    private final Sealing sealing;
    private final byte[] plain = new byte[RunLayout.PAGES_AT_ONCE * RunLayout.PLAIN_BYTES];
    private final byte[] sealed = new byte[RunLayout.PAGES_AT_ONCE * RunLayout.PAGE_BYTES];
    private final ByteBuffer pending = ByteBuffer.wrap(plain);
    private long nextPage;

    /** Writes to {@code file} from that page on. */
    PageWriter(IndexFolder.File file, Sealing sealing, long firstPage) {
        this.file = file;
        this.sealing = sealing;
        this.nextPage = firstPage;
    }

    /** Where the next bytes go: what is put there at once must be of a length of which a page holds a whole number. */
    ByteBuffer room() throws IOException {
        if (!pending.hasRemaining()) {
            end();
        }
        return pending;
    }

    /** Fills the last page up with zeros, and writes all that is pending. */
    void end() throws IOException {
        int count = RunLayout.pages(pending.position(), RunLayout.PLAIN_BYTES);
        Arrays.fill(plain, pending.position(), count * RunLayout.PLAIN_BYTES, (byte) 0);
        sealing.sealPages(nextPage, count, plain, sealed);
        file.write(ByteBuffer.wrap(sealed, 0, count * RunLayout.PAGE_BYTES), nextPage * RunLayout.PAGE_BYTES);
        nextPage += count;
        pending.clear();
    }

    /** The page that comes after what was written. */
    long nextPage() {
        return nextPage;
    }
}
