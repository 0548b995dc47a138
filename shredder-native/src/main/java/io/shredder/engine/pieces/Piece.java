// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.pieces;

import io.shredder.chunk.DamagedDataException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** A piece that is read. It tells its {@link Damages} what it can't read or what is not as it was. For one thread. */
final class Piece implements Closeable {

    private final Path file;
    private final FileChannel channel;
    private final PieceHeader header;
    private final Damages damages;

    private Piece(Path file, FileChannel channel, PieceHeader header, Damages damages) {
        this.file = file;
        this.channel = channel;
        this.header = header;
        this.damages = damages;
    }

    /**
     * Opens one of which the header is sound.
     *
     * @throws DamagedDataException if it isn't
     */
    static Piece open(Path file, Damages damages) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        try {
            ByteBuffer bytes = ByteBuffer.allocate(PieceHeader.BYTES);
            fill(channel, bytes, 0);
            PieceHeader header = PieceHeader.decoded(file.toString(), bytes.flip());
            Piece piece = new Piece(file, channel, header, damages);
            piece.tellLength();
            return piece;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private void tellLength() throws IOException {
        long expected = layout().pieceBytes();
        long actual = channel.size();
        if (actual != expected) {
            tell(Math.min(actual, expected), "has " + actual + " bytes, not " + expected);
        }
    }

    Path file() {
        return file;
    }

    PieceSet set() {
        return header.set();
    }

    int index() {
        return header.index();
    }

    private PieceLayout layout() {
        return header.set().layout();
    }

    /** The group's entry of this piece's table; empty if it isn't sound. */
    Optional<CellTable> table(long group) {
        ByteBuffer bytes = ByteBuffer.allocate(layout().entryBytesOf(group));
        long at = layout().entryAt(group);
        if (!read(bytes, at)) {
            return Optional.empty();
        }
        Optional<CellTable> table = CellTable.decoded(layout(), group, bytes);
        if (table.isEmpty()) {
            tell(at, "the table's entry of group " + group + " has a wrong checksum");
        }
        return table;
    }

    /**
     * Reads the piece's cell of a group.
     *
     * @param truth what the group's cells are
     * @param cell as long as the cell; holds anything if this fails
     * @return whether it is sound
     */
    boolean readCell(long group, CellTable truth, ByteBuffer cell) {
        long at = layout().cellAt(group);
        if (!read(cell.duplicate(), at)) {
            return false;
        }
        if (truth.proves(index(), cell)) {
            return true;
        }
        int within = table(group).map(own -> own.firstDamage(cell)).orElse(0);
        tell(at + within, "the cell of group " + group + " is not what was written");
        return false;
    }

    /** Fills the buffer and flips it; false if the file ends before, which was told when it was opened. */
    private boolean read(ByteBuffer target, long position) {
        try {
            boolean full = fill(channel, target, position);
            target.flip();
            return full;
        } catch (IOException e) {
            tell(position + target.position(), "can't be read: " + e.getMessage());
            return false;
        }
    }

    private static boolean fill(FileChannel channel, ByteBuffer target, long position) throws IOException {
        int start = target.position();
        while (target.hasRemaining()) {
            if (channel.read(target, position + target.position() - start) < 0) {
                return false;
            }
        }
        return true;
    }

    void tell(long offset, String problem) {
        damages.tell(new DamagedDataException(file.toString(), offset, problem));
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
