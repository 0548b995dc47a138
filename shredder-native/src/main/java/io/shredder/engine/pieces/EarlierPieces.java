// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.pieces;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Pieces that an earlier coding of a file left where it was coded anew as fewer pieces, or to its folders in another
 * order. No new one has replaced them by its name, and folders that have pieces of both can't be decoded.
 */
final class EarlierPieces {

    private EarlierPieces() {}

    /**
     * Deletes them, durably: what has the name of a piece of the file and a sound header with the same number, but of
     * another set. All else stays.
     *
     * @param file that was coded
     * @param set to which the new pieces belong, which are all published
     */
    static void delete(Path file, PieceSet set, List<Path> folders) throws IOException {
        for (Path folder : folders) {
            List<Path> earlier = find(file, set, folder);
            for (Path piece : earlier) {
                delete(piece);
            }
            if (!earlier.isEmpty()) {
                NewFile.forceFolder(folder);
            }
        }
    }

    private static List<Path> find(Path file, PieceSet set, Path folder) throws IOException {
        Pattern names =
                Pattern.compile(Pattern.quote(file.getFileName() + ".") + "[0-9]{3}" + Pattern.quote(FileCoder.SUFFIX));
        List<Path> found = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            files.filter(each -> names.matcher(each.getFileName().toString()).matches())
                    .filter(each -> isEarlier(file, set, each))
                    .forEach(found::add);
        } catch (IOException | UncheckedIOException e) {
            throw new IOException(
                    "the new pieces are there, but " + folder + " can't be searched for some of an earlier coding: "
                            + e,
                    e);
        }
        return found;
    }

    private static boolean isEarlier(Path file, PieceSet set, Path named) {
        if (!Files.isRegularFile(named, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        try (Piece piece = Piece.open(named, new Damages(damage -> {}))) {
            String name = FileCoder.pieceName(file, piece.index());
            return named.getFileName().toString().equals(name) && !piece.set().equals(set);
        } catch (IOException e) {
            return false;
        }
    }

    private static void delete(Path piece) throws IOException {
        try {
            Files.delete(piece);
        } catch (IOException e) {
            throw new IOException(
                    "the new pieces are there, but " + piece + " is one of an earlier coding: delete it: " + e, e);
        }
    }
}
