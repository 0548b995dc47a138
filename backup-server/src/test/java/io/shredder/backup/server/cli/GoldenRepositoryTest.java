// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli;

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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Repositories that agents of November 2026 left, {@code testvectors/repository-v2} and {@code -v3}: every later
 * program must be able to read them.
 */
class GoldenRepositoryTest {

    private static final Path VECTORS = Path.of("..", "testvectors");

    @TempDir
    private Path folder;

    private void copy(String repository) throws IOException {
        Path golden = VECTORS.resolve(repository);
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
    private static byte[] image(int lines, String line, int zeros, int digests) throws IOException {
        var image = new ByteArrayOutputStream();
        for (int i = 0; i < lines; i++) {
            image.writeBytes(line.formatted(i).getBytes(StandardCharsets.US_ASCII));
        }
        image.writeBytes(new byte[zeros]);
        for (int i = 0; i < digests; i++) {
            ByteBuffer number = ByteBuffer.allocate(Integer.BYTES).putInt(0, i);
            ByteBuffer digest = ByteBuffer.allocate(Fingerprint.BYTES);
            Fingerprint.ofData(number).write(digest);
            image.writeBytes(digest.array());
        }
        return image.toByteArray();
    }

    private static byte[] inserted(byte[] before, int at) {
        var image = new ByteArrayOutputStream();
        image.write(before, 0, at);
        image.writeBytes("inserted".repeat(20).getBytes(StandardCharsets.US_ASCII));
        image.write(before, at, before.length - at);
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
                key(),
                "--secret-file",
                secret(),
                "--state",
                folder.resolve("state").toString(),
                "--to",
                target.toString());
        assertThat(ShredderBackupMain.run(words.toArray(String[]::new))).isZero();
        return Files.readAllBytes(target);
    }

    @Test
    void snapshotsOfVersion2Restore() throws IOException {
        copy("repository-v2");
        byte[] first = image(8000, "line %06d of a golden image\n", 200_000, 700);
        assertThat(restored("vm@2")).isEqualTo(inserted(first, 1000));
        assertThat(restored("vm@3")).isEqualTo(first);
    }

    /** It is older than the record of commits, which is one problem. */
    @Test
    void version2VerifiesAuditLogIncluded() throws IOException {
        copy("repository-v2");
        assertThat(problems()).singleElement().asString().contains("catalogue.log is missing");
        changeAuditLog();
        assertThat(problems()).hasSize(2).anySatisfy(line -> assertThat(line).contains("audit.log: damaged at offset"));
    }

    private void changeAuditLog() throws IOException {
        Path log = folder.resolve("repo/audit.log");
        Files.writeString(log, Files.readString(log).replace("\"client\":\"c1\"", "\"client\":\"c2\""));
    }

    @Test
    void sharedAndPrivateListsOfVersion3Restore() throws IOException {
        copy("repository-v3");
        byte[] first = image(1700, "line %06d of golden image 3a\n", 400_000, 60);
        assertThat(restored("vm@2")).isEqualTo(inserted(first, 50_000));
        assertThat(restored("vm@3")).isEqualTo(inserted(first, 50_000));
        assertThat(restored("disk@4")).isEqualTo(Arrays.copyOf(first, 12_000));
        assertThat(said("verify", "vm", "--repository-key", key(), "--secret-file", secret()))
                .isEmpty();
        assertThat(problems()).isEmpty();
    }

    @Test
    void whatIsLostOfVersion3IsNamed() throws IOException {
        copy("repository-v3");
        changeAuditLog();
        Files.delete(folder.resolve("repo/snapshots/c1/disk/0000000000000004.snapshot"));
        Path pack = folder.resolve("repo/pages/0000000000000002.pages");
        byte[] bytes = Files.readAllBytes(pack);
        bytes[1000] ^= 1;
        Files.write(pack, bytes);
        assertThat(problems())
                .anySatisfy(line -> assertThat(line).contains("audit.log: damaged at offset"))
                .anySatisfy(line -> assertThat(line).contains("0000000000000004.snapshot", "missing"))
                .anySatisfy(
                        line -> assertThat(line).contains("pages/0000000000000002.pages: damaged at offset", "page 0"));
        Files.delete(folder.resolve("repo/pages/0000000000000001.pages"));
        assertThat(problems()).anySatisfy(line -> assertThat(line).contains("0000000000000001.pages", "missing"));
    }

    private static String key() {
        return VECTORS.resolve("backup-key-v1.txt").toString();
    }

    private String secret() {
        return folder.resolve("secret").toString();
    }

    /** What a verification of everything finds. */
    private List<String> problems() {
        return said("verify");
    }

    /** Problems that a command names, and then fails. */
    private List<String> said(String... words) {
        List<String> command = new ArrayList<>(List.of(words));
        command.addAll(List.of("--repo", folder.resolve("repo").toString()));
        command.addAll(List.of("--state", folder.resolve("state").toString()));
        PrintStream real = System.err;
        var said = new ByteArrayOutputStream();
        System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
        int exitCode;
        try {
            exitCode = ShredderBackupMain.run(command.toArray(String[]::new));
        } finally {
            System.setErr(real);
        }
        List<String> problems = said.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.startsWith("shredder-backup: "))
                .toList();
        assertThat(exitCode).isEqualTo(problems.isEmpty() ? 0 : 1);
        return problems;
    }
}
