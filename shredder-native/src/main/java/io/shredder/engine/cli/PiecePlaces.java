// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.cli;

import io.shredder.engine.pieces.FileCoder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Finds pieces where they may be. A place that can't be looked at is told, and costs no other place. */
final class PiecePlaces {

    /** {@link Files#list}, or what a test has in its place. */
    @FunctionalInterface
    interface Lister {
        Stream<Path> list(Path folder) throws IOException;
    }

    private final Lister lister;
    private final Consumer<String> listener;

    /** @param listener is told, in one line each, of which places there is nothing */
    PiecePlaces(Lister lister, Consumer<String> listener) {
        this.lister = lister;
        this.listener = listener;
    }

    /**
     * The pieces in folders, sorted by name in each, and files that are named themselves. A place that isn't there has
     * none: its disk may be the one that was lost.
     */
    List<Path> pieces(List<Path> places) {
        List<Path> pieces = new ArrayList<>();
        for (Path place : places) {
            if (Files.isDirectory(place)) {
                pieces.addAll(piecesIn(place));
            } else if (Files.exists(place)) {
                pieces.add(place);
            } else {
                listener.accept(place + " isn't there");
            }
        }
        return pieces;
    }

    /** Those that were found before a failure count: one more may be what is needed. */
    private List<Path> piecesIn(Path folder) {
        List<Path> pieces = new ArrayList<>();
        try (Stream<Path> files = lister.list(folder)) {
            files.filter(PiecePlaces::isPiece).forEach(pieces::add);
        } catch (IOException e) {
            listener.accept(folder + " can't be listed: " + e);
        } catch (UncheckedIOException e) {
            listener.accept(folder + " can't be listed: " + e.getCause());
        }
        Collections.sort(pieces);
        return pieces;
    }

    private static boolean isPiece(Path file) {
        String name = file.getFileName().toString();
        return name.endsWith(FileCoder.SUFFIX) && !name.startsWith(".") && Files.isRegularFile(file);
    }
}
