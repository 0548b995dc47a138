// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.pieces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that appear while others of their names are written. */
class NewFileTest {

    private static final String OTHERS = "somebody else's";

    @TempDir
    Path folder;

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    /** As somebody else may do while a file is written. */
    private static void appear(Path file) {
        try {
            Files.writeString(file, OTHERS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void whatAppearsMeanwhileIsNotReplacedUnlessAskedFor() throws IOException {
        Path target = folder.resolve("file");
        try (NewFile file = NewFile.create(target, false, "testing")) {
            file.write(ByteBuffer.wrap(new byte[9]), 0);
            appear(target);
            assertThatThrownBy(file::publish)
                    .isInstanceOf(IOException.class)
                    .hasMessage(target + " exists: name another place, or replace it with --force");
        }
        assertThat(target).hasContent(OTHERS);
        Files.delete(target);
        try (NewFile file = NewFile.create(target, true, "testing")) {
            appear(target);
            file.publish();
        }
        assertThat(target).isEmptyFile();
        assertThat(names()).containsExactly("file");
    }

    @Test
    void withoutLinksATakenNameIsRefusedToo() throws IOException {
        Path target = folder.resolve("file");
        try (NewFile file = NewFile.create(target, false, "testing")) {
            appear(target);
            assertThatThrownBy(file::moveToFreeName).hasMessageContaining(target + " exists");
            assertThat(target).hasContent(OTHERS);
            Files.delete(target);
            file.moveToFreeName();
        }
        assertThat(target).isEmptyFile();
        assertThat(names()).containsExactly("file");
    }

    @Test
    void twoMayBeginTheSameFileAndTheFirstThatEndsHasTheName() throws IOException {
        Path target = folder.resolve("file");
        try (NewFile one = NewFile.create(target, false, "testing");
                NewFile two = NewFile.create(target, false, "testing")) {
            one.write(ByteBuffer.wrap("one".getBytes(StandardCharsets.UTF_8)), 0);
            two.write(ByteBuffer.wrap("and two".getBytes(StandardCharsets.UTF_8)), 0);
            one.publish();
            assertThatThrownBy(two::publish).hasMessageContaining("exists");
        }
        assertThat(target).hasContent("one");
        assertThat(names()).containsExactly("file");
    }

    @Test
    void aPieceOrAFileThatAppearsWhileItIsCodedStays() throws IOException {
        Path source = Files.write(folder.resolve("source"), new byte[1000]);
        Path piece = folder.resolve("source.000.piece");
        assertThatThrownBy(() -> FileCoder.code(source, 2, 1, List.of(folder), false, bytes -> appear(piece)))
                .hasMessageContaining(piece + " exists");
        assertThat(piece).hasContent(OTHERS);
        assertThat(names()).containsExactly("source", "source.000.piece");

        Files.delete(piece);
        List<Path> pieces = FileCoder.code(source, 2, 1, List.of(folder), false, bytes -> {});
        Path target = folder.resolve("target");
        try (FileDecoder decoder = FileDecoder.open(pieces, damage -> {})) {
            assertThatThrownBy(() -> decoder.decode(target, false, bytes -> appear(target)))
                    .hasMessageContaining(target + " exists");
        }
        assertThat(target).hasContent(OTHERS);
        assertThat(names()).hasSize(5);
    }
}
