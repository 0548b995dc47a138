// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import io.shredder.backup.agent.file.LostData;
import io.shredder.chunk.DamagedDataException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** Reads and opens the pages of one run. Any number of threads; it closes nothing. */
final class RunPages {

    private final IndexFolder.File file;
    private final String name;
    private final Sealing sealing;

    /** The pages of {@code file}, whose name is for errors. */
    RunPages(IndexFolder.File file, String name, Sealing sealing) {
        this.file = file;
        this.name = name;
        this.sealing = sealing;
    }

    IndexFolder.File file() {
        return file;
    }

    String name() {
        return name;
    }

    Sealing sealing() {
        return sealing;
    }

    DamagedDataException damaged(int page) {
        return new DamagedDataException(IndexFiles.name(name), at(page), "page " + page + " is not as it was sealed");
    }

    /** Where a page begins. */
    long at(int page) {
        return (long) page * RunLayout.PAGE_BYTES;
    }

    /** Reads a page of entries and opens it, unless {@code page} holds it already. */
    void load(RunPage page, int number, int entries) throws IOException {
        if (page.holds(this, number)) {
            return;
        }
        Sealing.Piece sealed = sealed(page, number);
        if (!sealing.open(number, 0, Sealing.NOTHING, sealed, page.plain(), 0)) {
            throw damaged(number);
        }
        page.endLoad(this, number, entries);
    }

    private Sealing.Piece sealed(RunPage page, int number) throws IOException {
        try {
            return page.read(file, at(number));
        } catch (IOException e) {
            throw LostData.named(e, IndexFiles.name(name), at(number));
        }
    }

    private byte[] sealed(int first, int count) throws IOException {
        try {
            return IndexFiles.read(file, name, at(first), Math.multiplyExact(count, RunLayout.PAGE_BYTES));
        } catch (IOException e) {
            throw LostData.named(e, IndexFiles.name(name), at(first));
        }
    }

    /** The plain bytes of pages, one after another. */
    byte[] plain(int first, int count) throws IOException {
        byte[] sealed = sealed(first, count);
        byte[] plain = new byte[count * RunLayout.PLAIN_BYTES];
        int sound = sealing.openPages(first, count, sealed, plain);
        if (sound < count) {
            throw damaged(first + sound);
        }
        return plain;
    }

    /**
     * Hands over so many bytes, from the start of a page on, in pieces that hold whole words of eight bytes; each is
     * gone after the call.
     */
    void read(int firstPage, long bytes, Consumer<ByteBuffer> taker) throws IOException {
        long left = bytes;
        for (int page = firstPage; left > 0; page += RunLayout.PAGES_AT_ONCE) {
            int count = Math.min(RunLayout.pages(left, RunLayout.PLAIN_BYTES), RunLayout.PAGES_AT_ONCE);
            ByteBuffer read = ByteBuffer.wrap(plain(page, count));
            read.limit((int) Math.min(read.capacity(), left));
            left -= read.remaining();
            taker.accept(read);
        }
    }
}
