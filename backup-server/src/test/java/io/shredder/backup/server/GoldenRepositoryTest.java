// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.Fingerprint;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A repository that an agent of November 2026 left, {@code testvectors/repository-v2}: every later program must be able to read it. */
class GoldenRepositoryTest {

    private static final Path VECTORS = Path.of("..", "testvectors");
    private static final int INSERTED_AT = 1000;

    @TempDir
    private Path folder;

    @BeforeEach
    void copy() throws IOException {
        Path golden = VECTORS.resolve("repository-v2");
        try (Stream<Path> found = Files.walk(golden)) {
            for (Path path : found.filter(Files::isRegularFile).toList()) {
                Path copy = folder.resolve(golden.relativize(path).toString());
                Files.createDirectories(copy.getParent());
                Files.copy(path, copy);
            }
        }
        Path secret = Files.writeString(folder.resolve("secret"), "ab".repeat(32) + "\n");
        for (Path kept : List.of(secret, folder.resolve("repo.index-key"))) {
            Files.setPosixFilePermissions(kept, PosixFilePermissions.fromString("rw-------"));
        }
    }

    /** Lines, zeros, and bytes that can't be compressed. */
    private static byte[] firstImage() throws IOException {
        var image = new ByteArrayOutputStream();
        for (int i = 0; i < 8000; i++) {
            image.writeBytes("line %06d of a golden image\n".formatted(i).getBytes(StandardCharsets.US_ASCII));
        }
        image.writeBytes(new byte[200_000]);
        for (int i = 0; i < 700; i++) {
            ByteBuffer number = ByteBuffer.allocate(Integer.BYTES).putInt(0, i);
            ByteBuffer digest = ByteBuffer.allocate(Fingerprint.BYTES);
            Fingerprint.ofData(number).write(digest);
            image.writeBytes(digest.array());
        }
        return image.toByteArray();
    }

    private static byte[] secondImage() throws IOException {
        byte[] first = firstImage();
        var image = new ByteArrayOutputStream();
        image.write(first, 0, INSERTED_AT);
        image.writeBytes("inserted".repeat(20).getBytes(StandardCharsets.US_ASCII));
        image.write(first, INSERTED_AT, first.length - INSERTED_AT);
        return image.toByteArray();
    }

    private byte[] restored(String snapshot) throws IOException {
        Path target = folder.resolve(snapshot);
        List<String> words = List.of(
                "restore",
                snapshot,
                "--repo",
                folder.resolve("repo").toString(),
                "--repository-key",
                VECTORS.resolve("backup-key-v1.txt").toString(),
                "--secret-file",
                folder.resolve("secret").toString(),
                "--to",
                target.toString());
        assertThat(ShredderBackupMain.run(words.toArray(String[]::new))).isZero();
        return Files.readAllBytes(target);
    }

    @Test
    void itsSnapshotsRestore() throws IOException {
        assertThat(restored("vm@2")).isEqualTo(secondImage());
        assertThat(restored("vm@3")).isEqualTo(firstImage());
    }

    @Test
    void itVerifiesAuditLogIncluded() throws IOException {
        Path log = folder.resolve("repo/audit.log");
        String[] command = {"verify", "--repo", folder.resolve("repo").toString()};
        assertThat(problems(command)).singleElement().asString().contains("catalogue.log is missing");
        Files.writeString(log, Files.readString(log).replace("\"client\":\"c1\"", "\"client\":\"c2\""));
        assertThat(problems(command)).hasSize(2).anySatisfy(line -> assertThat(line)
                .contains("audit.log: damaged at offset"));
    }

    /** This repository is older than the record of commits, which is one problem. */
    private static List<String> problems(String... command) {
        PrintStream real = System.err;
        var said = new ByteArrayOutputStream();
        System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
        try {
            assertThat(ShredderBackupMain.run(command)).isEqualTo(1);
        } finally {
            System.setErr(real);
        }
        return said.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.startsWith("shredder-backup: "))
                .toList();
    }
}
