// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import io.shredder.chunk.DamagedDataException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;

/**
 * Reads and opens consecutive pages of a run.
 *
 * @param name of the file, for errors
 */
record RunPages(IndexFolder.File file, String name, Sealing sealing) {

    static final byte[] NOTHING = new byte[0];

    static DamagedDataException damaged(String name, int page) {
        return new DamagedDataException(
                IndexFiles.name(name), (long) page * RunFormat.PAGE_BYTES, "page " + page + " is not as it was sealed");
    }

    /** The plain bytes of pages, one after another. */
    byte[] plain(int first, int count) throws IOException {
        byte[] sealed = IndexFiles.read(
                file, name, (long) first * RunFormat.PAGE_BYTES, Math.multiplyExact(count, RunFormat.PAGE_BYTES));
        byte[] plain = new byte[count * RunFormat.PLAIN_BYTES];
        for (int i = 0; i < count; i++) {
            Sealing.Piece page = new Sealing.Piece(sealed, i * RunFormat.PAGE_BYTES, RunFormat.PAGE_BYTES);
            if (!sealing.open(first + i, 0, NOTHING, page, plain, i * RunFormat.PLAIN_BYTES)) {
                throw damaged(name, first + i);
            }
        }
        return plain;
    }

    /** So many numbers of eight bytes, from the start of a page on. */
    long[] words(int firstPage, int count) throws IOException {
        long[] words = new long[count];
        int done = 0;
        for (int page = firstPage; done < count; page += RunFormat.PAGES_AT_ONCE) {
            int left = (count - done + RunFormat.WORDS_PER_PAGE - 1) / RunFormat.WORDS_PER_PAGE;
            LongBuffer read = ByteBuffer.wrap(plain(page, Math.min(left, RunFormat.PAGES_AT_ONCE)))
                    .asLongBuffer();
            int length = Math.min(read.remaining(), count - done);
            read.get(words, done, length);
            done += length;
        }
        return words;
    }
}
