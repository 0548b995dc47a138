// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.pieces;

import io.shredder.chunk.DamagedDataException;
import io.shredder.engine.coding.ErasureCoder;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Gives a file back of the pieces that {@link FileCoder} made of it. Nothing is believed that its digest doesn't prove.
 * Damage is told to a listener, as a line that names file and offset; it is an error only where too little is left. For
 * one thread.
 */
public final class FileDecoder implements Closeable {

    /** In the order of their shards: data first, which needs no decoding. */
    private final TreeMap<Integer, Piece> pieces = new TreeMap<>();

    private final Damages damages;
    private @Nullable PieceSet found;

    private FileDecoder(Consumer<String> damage) {
        this.damages = new Damages(damage);
    }

    /**
     * Opens the pieces of one file.
     *
     * @param files a piece each; one of which the header can't be read counts as lost
     * @param damage is told of each damage
     * @throws IOException if pieces are of different files, or coded differently, if there is one twice, or if there
     *     are fewer than are needed
     */
    public static FileDecoder open(List<Path> files, Consumer<String> damage) throws IOException {
        FileDecoder decoder = new FileDecoder(damage);
        try {
            for (Path file : files) {
                decoder.add(file);
            }
            decoder.requireEnough();
            return decoder;
        } catch (IOException e) {
            decoder.close();
            throw e;
        }
    }

    private void add(Path file) throws IOException {
        Piece piece;
        try {
            piece = Piece.open(file, damages);
        } catch (DamagedDataException e) {
            damages.tell(e);
            return;
        } catch (IOException e) {
            damages.tell(new DamagedDataException(file.toString(), 0, "can't be opened: " + e.getMessage()));
            return;
        }
        Piece same = pieces.putIfAbsent(piece.index(), piece);
        Piece first = pieces.firstEntry().getValue();
        try {
            if (!piece.set().equals(first.set())) {
                throw new IOException(file + " and " + first.file()
                        + " are not pieces of one file, coded alike: name the pieces of one");
            }
            if (same != null) {
                throw new IOException(
                        file + " and " + same.file() + " are both piece " + piece.index() + ": leave one of them out");
            }
        } catch (IOException e) {
            piece.close();
            throw e;
        }
        found = piece.set();
    }

    private void requireEnough() throws IOException {
        if (found == null) {
            throw new IOException("no piece can be read: name pieces, or folders that have some");
        }
        if (pieces.size() < layout().data()) {
            throw new IOException(layout().data() + " pieces are needed and only " + pieces.size()
                    + (pieces.size() == 1 ? " is" : " are") + " there: find more of "
                    + pieces.firstEntry().getValue().file().getFileName());
        }
    }

    private PieceSet set() {
        if (found == null) {
            throw new IllegalStateException("a decoder without pieces");
        }
        return found;
    }

    private PieceLayout layout() {
        return set().layout();
    }

    /** Length of the file. */
    public long fileBytes() {
        return layout().fileBytes();
    }

    /** How many pieces are needed. */
    public int needed() {
        return layout().data();
    }

    /** How many pieces there were. */
    public int made() {
        return layout().shards();
    }

    /** Those that are not there, or of which the header is damaged. */
    public NavigableSet<Integer> missing() {
        NavigableSet<Integer> missing = new TreeSet<>();
        IntStream.range(0, made()).filter(i -> !pieces.containsKey(i)).forEach(missing::add);
        return missing;
    }

    /** Whether no damage has been found until now. */
    public boolean isSound() {
        return damages.none();
    }

    /**
     * Writes the file, which gets its name when all of it is proved and on the disk. Of each group the first pieces
     * that are sound are read, and no others.
     *
     * @param overwrite whether a file may be replaced that is there
     * @param progress is told how many bytes were written since the last call
     * @throws IOException if something can't be written, or if of some group too few cells are sound
     */
    public void decode(Path target, boolean overwrite, LongConsumer progress) throws IOException {
        requireOther(target);
        try (NewFile file = NewFile.create(target, overwrite, "decoding");
                ErasureCoder coder = ErasureCoder.create(layout().code())) {
            Tables tables = Tables.of(set(), pieces.values());
            GroupCells cells = new GroupCells(layout());
            for (long group = 0; group < layout().groups(); group++) {
                CellTable truth = tables.next(group);
                ByteBuffer[] room = cells.of(group);
                @Nullable ByteBuffer[] sound = soundCells(group, truth, room, needed());
                restore(group, truth, coder, sound, room);
                write(group, room, file);
                progress.accept(layout().bytesOf(group));
            }
            tables.prove();
            file.force();
            file.publish();
        } finally {
            damages.tellRest();
        }
    }

    private void requireOther(Path target) throws IOException {
        for (Piece piece : pieces.values()) {
            if (Files.exists(target) && Files.isSameFile(target, piece.file())) {
                throw new IOException(target + " is one of the pieces: name another file");
            }
        }
    }

    /** Reads cells until so many are sound; null for those that are not, or were not read. */
    private @Nullable ByteBuffer[] soundCells(long group, CellTable truth, ByteBuffer[] room, int enough) {
        @Nullable ByteBuffer[] sound = new ByteBuffer[room.length];
        int count = 0;
        for (Piece piece : pieces.values()) {
            int index = piece.index();
            if (count < enough && piece.readCell(group, truth, room[index])) {
                sound[index] = room[index];
                count++;
            }
        }
        return sound;
    }

    /** Computes the data cells that are not there, in their room. */
    private void restore(
            long group, CellTable truth, ErasureCoder coder, @Nullable ByteBuffer[] sound, ByteBuffer[] room)
            throws IOException {
        long count = Arrays.stream(sound).filter(cell -> cell != null).count();
        if (count < needed()) {
            throw lost(group, count);
        }
        int[] lost = IntStream.range(0, needed()).filter(i -> sound[i] == null).toArray();
        ByteBuffer[] outputs = IntStream.of(lost).mapToObj(i -> room[i]).toArray(ByteBuffer[]::new);
        coder.decode(sound, lost, outputs);
        for (int i : lost) {
            if (!truth.proves(i, room[i])) {
                throw new IOException("the decoded cell " + i + " of group " + group + " is not what was coded: "
                        + "the tables of these pieces are wrong");
            }
        }
    }

    private IOException lost(long group, long sound) {
        long start = layout().groupStart(group);
        return new IOException("the file's bytes " + start + " to " + (start + layout().bytesOf(group) - 1)
                + " can't be decoded: " + needed() + " sound cells are needed and only " + sound
                + (sound == 1 ? " is" : " are") + " there: find more pieces");
    }

    private void write(long group, ByteBuffer[] cells, NewFile file) throws IOException {
        long at = layout().groupStart(group);
        for (int i = 0; i < needed(); i++) {
            int bytes = layout().fileBytesIn(group, i);
            file.write(cells[i].slice(0, bytes), at);
            at += bytes;
        }
    }

    /**
     * Reads all of each piece and tells of all damage.
     *
     * @param progress is told how many bytes of the file were proved since the last call
     * @throws IOException if the file can't be decoded any more
     */
    public void check(LongConsumer progress) throws IOException {
        try {
            Tables tables = Tables.of(set(), pieces.values());
            GroupCells cells = new GroupCells(layout());
            IOException problem = null;
            for (long group = 0; group < layout().groups(); group++) {
                CellTable truth = tables.next(group);
                compareTables(group, truth, pieces.values());
                long sound = Arrays.stream(soundCells(group, truth, cells.of(group), made()))
                        .filter(cell -> cell != null)
                        .count();
                if (sound < needed() && problem == null) {
                    problem = lost(group, sound);
                }
                progress.accept(layout().bytesOf(group));
            }
            tables.prove();
            if (problem != null) {
                throw problem;
            }
        } finally {
            damages.tellRest();
        }
    }

    private void compareTables(long group, CellTable truth, Collection<Piece> all) {
        for (Piece piece : all) {
            piece.table(group)
                    .filter(own -> !own.hasSameDigests(truth))
                    .ifPresent(own -> piece.tell(
                            layout().entryAt(group), "the table's entry of group " + group + " is another file's"));
        }
    }

    @Override
    public void close() throws IOException {
        for (Piece piece : pieces.values()) {
            piece.close();
        }
    }
}
