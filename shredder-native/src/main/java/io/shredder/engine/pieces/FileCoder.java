// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.pieces;

import io.shredder.chunk.Fingerprint;
import io.shredder.engine.coding.ErasureCoder;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * Makes pieces of a file, of which any {@code data} give it back ({@link FileDecoder}). All pieces are
 * written and forced under temporary names before one gets its own. For one thread.
 */
public final class FileCoder implements Closeable {

    /** What a piece's name ends with. */
    public static final String SUFFIX = ".piece";

    private final Path file;
    private final FileChannel source;
    private final PieceLayout layout;
    private final GroupCells cells;
    private final ErasureCoder coder;
    private final MessageDigest root;
    private final List<NewFile> pieces = new ArrayList<>();

    private FileCoder(Path file, FileChannel source, PieceLayout layout) throws IOException {
        this.file = file;
        this.source = source;
        this.layout = layout;
        this.cells = new GroupCells(layout);
        this.root = PieceSet.beginRoot(layout);
        this.coder = ErasureCoder.create(layout.code());
    }

    /**
     * Codes a file.
     *
     * @param file an ordinary file, which nobody may write meanwhile
     * @param data how many pieces will give it back, at least 1
     * @param parity how many may be lost, at least 1; at most 256 pieces in all
     * @param folders where pieces go, in turn; they must be there, each named once
     * @param overwrite whether pieces of the file may be replaced that are there; those of an earlier coding that no
     *     new one replaces by its name are deleted when all new ones are there
     * @param progress is told how many bytes of the file were coded since the last call
     * @return the pieces, in the order of their shards
     * @throws IllegalArgumentException if there is no such code
     * @throws IOException if a file can't be read or written, or is there already; no piece has its name then, but
     *     for those that were renamed before a rename failed
     */
    public static List<Path> code(
            Path file, int data, int parity, List<Path> folders, boolean overwrite, LongConsumer progress)
            throws IOException {
        requireFolders(folders);
        try (FileChannel source = openSource(file)) {
            return code(file, source, PieceLayout.of(data, parity, source.size()), folders, overwrite, progress);
        }
    }

    /** The same with cells of other lengths. */
    static List<Path> code(
            Path file,
            FileChannel source,
            PieceLayout layout,
            List<Path> folders,
            boolean overwrite,
            LongConsumer progress)
            throws IOException {
        try (FileCoder coder = new FileCoder(file, source, layout)) {
            coder.createPieces(folders, overwrite);
            for (long group = 0; group < layout.groups(); group++) {
                coder.codeGroup(group);
                progress.accept(layout.bytesOf(group));
            }
            return coder.publish(folders, overwrite);
        }
    }

    private static FileChannel openSource(Path file) throws IOException {
        if (!Files.exists(file)) {
            throw new NoSuchFileException(file + " does not exist");
        }
        if (!Files.isRegularFile(file)) {
            throw new IOException(file + " is not an ordinary file: only such can be coded");
        }
        return FileChannel.open(file, StandardOpenOption.READ);
    }

    private static void requireFolders(List<Path> folders) throws IOException {
        Set<Path> seen = new HashSet<>();
        for (Path folder : folders) {
            if (!Files.isDirectory(folder)) {
                throw new IOException("folder " + folder + " doesn't exist: make it first");
            }
            if (!seen.add(folder.toRealPath())) {
                throw new IOException("folder " + folder + " is named twice: name each place once");
            }
        }
    }

    private void createPieces(List<Path> folders, boolean overwrite) throws IOException {
        for (int i = 0; i < layout.shards(); i++) {
            Path target = folders.get(i % folders.size()).resolve(pieceName(file, i));
            pieces.add(NewFile.create(target, overwrite, "coding"));
        }
    }

    static String pieceName(Path file, int index) {
        return String.format(Locale.ROOT, "%s.%03d%s", file.getFileName(), index, SUFFIX);
    }

    private void codeGroup(long group) throws IOException {
        ByteBuffer[] all = cells.of(group);
        for (int i = 0; i < layout.data(); i++) {
            readCell(group, i, all[i]);
        }
        ByteBuffer[] data = Arrays.copyOf(all, layout.data());
        ByteBuffer[] parity = Arrays.copyOfRange(all, layout.data(), all.length);
        coder.encode(data, parity);
        byte[] digests = CellTable.digests(all);
        root.update(digests);
        for (int i = 0; i < all.length; i++) {
            NewFile piece = pieces.get(i);
            piece.write(CellTable.of(digests, all[i]).encoded(group, layout.cellBytesOf(group)), layout.entryAt(group));
            piece.write(all[i], layout.cellAt(group));
        }
    }

    /** The cell's share of the file, and zeros behind it. */
    private void readCell(long group, int shard, ByteBuffer cell) throws IOException {
        int bytes = layout.fileBytesIn(group, shard);
        long at = layout.groupStart(group) + (long) shard * cell.remaining();
        ByteBuffer target = cell.slice(0, bytes);
        while (target.hasRemaining()) {
            if (source.read(target, at + target.position()) < 0) {
                throw new IOException(file + " became shorter while it was coded: try again when it is at rest");
            }
        }
        GroupCells.clear(cell.slice(bytes, cell.remaining() - bytes));
    }

    private List<Path> publish(List<Path> folders, boolean overwrite) throws IOException {
        if (source.size() != layout.fileBytes()) {
            throw new IOException(file + " changed its length while it was coded: try again when it is at rest");
        }
        PieceSet set = new PieceSet(layout, Fingerprint.of(root.digest()));
        for (int i = 0; i < pieces.size(); i++) {
            pieces.get(i).write(new PieceHeader(set, i).encoded(), 0);
            pieces.get(i).force();
        }
        List<Path> published = new ArrayList<>();
        for (NewFile piece : pieces) {
            published.add(piece.publish());
        }
        if (overwrite) {
            EarlierPieces.delete(file, set, folders);
        }
        return published;
    }

    @Override
    public void close() {
        coder.close();
        pieces.forEach(NewFile::close);
    }
}
