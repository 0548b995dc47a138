// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.targets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.shredder.backup.server.targets.WriteTrial.Way;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileTargetTest {

    @TempDir
    private Path folder;

    @Test
    void withoutACommitNothingIsLeft() throws IOException {
        try (FileTarget target = new FileTarget(folder.resolve("f"), false, true, 2)) {
            target.write(0, ByteBuffer.wrap(new byte[] {1}));
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void blocksOfZerosBecomeHoles() throws IOException, InterruptedException {
        byte[] image = new byte[1 << 20];
        image[100] = 1;
        image[900_000] = 1;
        Path file = folder.resolve("f");
        try (FileTarget target = new FileTarget(file, false, true, 2)) {
            target.write(0, ByteBuffer.wrap(image, 0, 500_000));
            target.write(500_000, ByteBuffer.wrap(image, 500_000, image.length - 500_000));
            target.commit(image.length);
        }
        assertThat(file).hasBinaryContent(image);
        Process stat = new ProcessBuilder("stat", "-c", "%b", file.toString()).start();
        String blocks = new String(stat.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
        assertThat(stat.waitFor()).isZero();
        assertThat(Long.parseLong(blocks) * 512).isLessThanOrEqualTo(64 << 10);
    }

    @Test
    void whoWantsTheDiskToHaveItWaitsForTheDiskAtEachWrite() throws IOException {
        try (ImageFile image = ImageFile.create(folder.resolve("f"), true, 2)) {
            assertThat(image.writesWait()).isEqualTo(image.isDirect());
        }
    }

    @Test
    void aFileThatAppearsMeanwhileIsNotOverwritten() throws IOException {
        Path file = folder.resolve("f");
        try (FileTarget target = new FileTarget(file, false, true, 2)) {
            Files.writeString(file, "precious");
            assertThatThrownBy(() -> target.commit(0)).hasMessageContaining("exists");
        }
        assertThat(file).hasContent("precious");
        assertThat(folder.toFile().list()).containsExactly("f");
    }

    @Test
    void onlyItsOwnerMayReadARestoredImage() throws IOException {
        Path file = folder.resolve("f");
        try (FileTarget target = new FileTarget(file, false, true, 2)) {
            assertThat(Files.getPosixFilePermissions(
                            folder.resolve(folder.toFile().list()[0])))
                    .isEqualTo(PosixFilePermissions.fromString("rw-------"));
            target.commit(3);
        }
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void aLinkStaysAndWhatItLeadsToIsReplaced() throws IOException {
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Path real = Files.writeString(elsewhere.resolve("real"), "old");
        Path link = Files.createSymbolicLink(folder.resolve("link"), real);
        assertThatThrownBy(() -> new FileTarget(link, false, true, 2)).hasMessageContaining("exists");

        try (FileTarget target = new FileTarget(link, true, true, 2)) {
            target.write(0, ByteBuffer.wrap(new byte[] {'n', 'e', 'w'}));
            target.commit(3);
        }

        assertThat(link).isSymbolicLink().hasContent("new");
        assertThat(real).isRegularFile().hasContent("new");
        assertThat(elsewhere.toFile().list()).containsExactly("real");
    }

    @Test
    void aLinkToNothingIsNamed() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("nothing"));
        assertThatThrownBy(() -> new FileTarget(link, true, true, 2))
                .hasMessage(link + " is a symbolic link to nothing: remove it, or name another file with --to");
        assertThat(link).isSymbolicLink();
    }

    private static ByteBuffer random(int bytes) {
        byte[] drawn = new byte[bytes];
        new Random(5).nextBytes(drawn);
        return ImageFile.aligned(bytes).put(drawn).flip();
    }

    @Test
    void longRunsLeaveThePageCacheToOthers() throws IOException, InterruptedException {
        Path trial = folder.resolve("trial");
        try (ImageFile image = ImageFile.create(trial, true, 2)) {
            assumeTrue(image.isDirect(), "no direct writes here: that the page cache stays out is not shown");
        }
        Path file = folder.resolve("f");
        int bytes = 8 << 20;
        try (FileTarget target = new FileTarget(file, false, false, 2)) {
            target.expect(bytes);
            target.write(0, random(bytes));
            target.commit(bytes);
        }
        Optional<String> cached =
                DeviceTargetTest.run("fincore", "--noheadings", "--raw", "--output", "PAGES", file.toString());
        assumeTrue(cached.isPresent(), "no fincore here");
        assertThat(Integer.parseInt(cached.orElseThrow())).isLessThan(bytes / ImageFile.BLOCK_BYTES / 4);
    }

    @Test
    void whatIsWrittenInTurnThroughTheCacheAndAsMappedIsThere() throws IOException {
        try (ImageFile image = ImageFile.create(folder.resolve("f"), List.of(Way.CACHED, Way.MAPPED), 1 << 20)) {
            byte[] expected = new byte[20 << 20];
            new Random(6).nextBytes(expected);
            image.write(expected.length - 1, ByteBuffer.allocate(1));
            int piece = 300_007;
            for (int at = 0; at < expected.length; at += piece) {
                image.write(at, ByteBuffer.wrap(expected, at, Math.min(piece, expected.length - at)));
            }
            assertThat(folder.resolve("f")).hasBinaryContent(expected);
        }
    }

    private boolean mount(String type, Path at) throws IOException, InterruptedException {
        if (type.equals("tmpfs")) {
            return DeviceTargetTest.run("mount", "-t", type, "-o", "size=8m", type, at.toString())
                    .isPresent();
        }
        Path disk = Files.write(folder.resolve("disk"), new byte[8 << 20]);
        return DeviceTargetTest.run("mkfs.ext4", "-q", "-F", disk.toString()).isPresent()
                && DeviceTargetTest.run("mount", "-o", "loop", disk.toString(), at.toString())
                        .isPresent();
    }

    @ParameterizedTest
    @CsvSource({
        "ext4, 1000, false",
        "ext4, 1048576, false",
        "ext4, 1000, true",
        "ext4, 100000, true",
        "ext4, 1048576, true",
        "tmpfs, 1000, true",
        "tmpfs, 100000, true",
        "tmpfs, 1048576, true"
    })
    void aFullDiskIsNamedWithTheRemedyAndNothingIsLeft(String type, int pieceBytes, boolean mapped)
            throws IOException, InterruptedException {
        Path mounted = Files.createDirectory(folder.resolve("mounted"));
        assumeTrue(mount(type, mounted), "nothing can be mounted here: a full disk is not shown");
        try {
            FileTarget.Images images = temporary -> mapped
                    ? ImageFile.create(temporary, List.of(Way.MAPPED), 1 << 20)
                    : ImageFile.create(temporary, false, 2);
            try (FileTarget target = new FileTarget(mounted.resolve("f"), false, false, images)) {
                target.expect(16 << 20);
                ByteBuffer piece = random(pieceBytes);
                assertThatThrownBy(() -> {
                            for (int at = 0; at < 16 << 20; at += pieceBytes) {
                                target.write(at, piece.duplicate());
                            }
                        })
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("can't write " + mounted)
                        .hasMessageContaining("make room there or name another file with --to");
            }
            assertThat(mounted.toFile().list()).isSubsetOf("lost+found");
        } finally {
            DeviceTargetTest.run("umount", mounted.toString());
        }
    }
}
