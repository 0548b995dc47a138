// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.pieces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What coding a file anew leaves of the pieces of before. */
class EarlierPiecesTest {

    @TempDir
    Path folder;

    private final List<Path> disks = new ArrayList<>();
    private Path file = Path.of("");

    @BeforeEach
    void makeFile() throws IOException {
        file = Files.writeString(folder.resolve("file"), "what it was");
        for (int i = 0; i < 2; i++) {
            disks.add(Files.createDirectory(folder.resolve("disk" + i)));
        }
    }

    private List<Path> code(Path coded, int data, int parity, boolean overwrite) throws IOException {
        return FileCoder.code(coded, data, parity, disks, overwrite, bytes -> {});
    }

    private List<Path> all() throws IOException {
        List<Path> all = new ArrayList<>();
        for (Path disk : disks) {
            try (Stream<Path> files = Files.list(disk)) {
                files.sorted().forEach(all::add);
            }
        }
        return all;
    }

    private String decoded() throws IOException {
        Path target = folder.resolve("decoded");
        try (FileDecoder decoder = FileDecoder.open(all(), damage -> {})) {
            decoder.decode(target, true, bytes -> {});
        }
        return Files.readString(target);
    }

    @Test
    void fewerPiecesLeaveNoneOfTheMoreOfBefore() throws IOException {
        code(file, 4, 2, false);
        Files.writeString(file, "what it is");
        assertThat(code(file, 2, 1, true)).containsExactlyInAnyOrderElementsOf(all());
        assertThat(decoded()).isEqualTo("what it is");
    }

    @Test
    void foldersInAnotherOrderLeaveNoneOfBefore() throws IOException {
        code(file, 2, 1, false);
        Files.writeString(file, "what it is");
        Collections.reverse(disks);
        assertThat(code(file, 2, 1, true)).containsExactlyInAnyOrderElementsOf(all());
        assertThat(decoded()).isEqualTo("what it is");
    }

    @Test
    void onlySoundPiecesOfThatFileByNameAndNumberAreDeleted() throws IOException {
        Path other = Files.writeString(folder.resolve("file.000"), "another");
        List<Path> stay = new ArrayList<>(code(other, 2, 1, false));
        List<Path> before = code(file, 4, 2, false);
        Path disk = disks.get(0);
        stay.add(Files.copy(before.get(5), disk.resolve("file.009.piece")));
        stay.add(Files.copy(before.get(5), disk.resolve("file.005.piece.kept")));
        stay.add(Files.writeString(disk.resolve("file.007.piece"), "no piece"));
        stay.add(Files.createDirectory(disk.resolve("file.008.piece")));
        stay.addAll(code(file, 2, 1, true));
        assertThat(all()).containsExactlyInAnyOrderElementsOf(stay);
    }

    @Test
    void piecesOfTheSameSetAndThoseOfACodingThatIsRefusedStay() throws IOException {
        List<Path> pieces = code(file, 2, 1, false);
        Path moved = Files.move(pieces.get(1), disks.get(0).resolve("file.001.piece"));
        code(file, 2, 1, true);
        assertThat(moved).exists();
        Files.delete(moved);
        assertThatThrownBy(() -> code(file, 1, 1, false)).hasMessageContaining("exists");
        assertThat(pieces).containsExactlyInAnyOrderElementsOf(all());
    }
}
