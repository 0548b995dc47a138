// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PiecePlacesTest {

    @TempDir
    Path folder;

    private final List<String> told = new ArrayList<>();
    private final List<Path> disks = new ArrayList<>();

    @BeforeEach
    void makeDisks() throws IOException {
        for (int i = 0; i < 3; i++) {
            disks.add(Files.createDirectory(folder.resolve("disk" + i)));
            Files.createFile(piece(i));
        }
    }

    private Path piece(int disk) {
        return disks.get(disk).resolve("file.00" + disk + ".piece");
    }

    /** Of a lister that fails at the first disk as told by the exception. */
    private List<Path> pieces(PiecePlaces.Lister atFirst) {
        PiecePlaces.Lister lister = place -> place.equals(disks.get(0)) ? atFirst.list(place) : Files.list(place);
        return new PiecePlaces(lister, told::add).pieces(disks);
    }

    private static IOException broken(Path place) {
        return new FileSystemException(place.toString(), null, "Input/output error");
    }

    private String cantBeListed() {
        return disks.get(0) + " can't be listed: java.nio.file.FileSystemException: " + disks.get(0)
                + ": Input/output error";
    }

    @Test
    void aFolderThatCantBeListedIsToldAndTheOthersCount() {
        assertThat(pieces(place -> {
                    throw broken(place);
                }))
                .containsExactly(piece(1), piece(2));
        assertThat(told).containsExactly(cantBeListed());
    }

    @Test
    void whatWasFoundBeforeAFailureCounts() {
        assertThat(pieces(place -> Stream.of(piece(0), place).peek(each -> {
                    if (each.equals(place)) {
                        throw new UncheckedIOException(broken(place));
                    }
                })))
                .containsExactly(piece(0), piece(1), piece(2));
        assertThat(told).containsExactly(cantBeListed());
    }

    @Test
    void filesAndFoldersAreTakenAsTheyAreNamed() throws IOException {
        Files.createFile(disks.get(1).resolve(".file.003.piece.coding-7"));
        Files.createFile(disks.get(1).resolve(".hidden.piece"));
        Path gone = folder.resolve("gone");
        assertThat(new PiecePlaces(Files::list, told::add).pieces(List.of(piece(2), gone, disks.get(1))))
                .containsExactly(piece(2), piece(1));
        assertThat(told).containsExactly(gone + " isn't there");
    }
}
