// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The life of a key, by its commands alone. */
class KeyCommandTest {

    @TempDir
    private Path folder;

    private final PrintStream realOut = System.out;
    private final PrintStream realErr = System.err;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @BeforeEach
    void capture() {
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void release() {
        System.setOut(realOut);
        System.setErr(realErr);
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private String passphrase(String name, String text) throws IOException {
        Path file = Files.writeString(folder.resolve(name), text + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return file.toString();
    }

    private int key(String... arguments) {
        out.reset();
        err.reset();
        List<String> all = new ArrayList<>(List.of("key"));
        all.addAll(List.of(arguments));
        return ShredderBackupMain.run(all.toArray(String[]::new));
    }

    private String printed() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String said() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aKeyIsMadeOpenedRewrappedAndComesBackFromPaper() throws IOException {
        String old = passphrase("old", "the old passphrase");
        String fresh = passphrase("fresh", "the fresh passphrase");
        String file = path("k");
        assertThat(key("create", file, "--new-passphrase-file", old)).isZero();
        String id = printed().replaceAll("(?s).*holds key ([0-9a-f]{32}).*", "$1");

        String[] byFile = {"--repository-key", file, "--secret-file", path("secret")};
        assertThat(key("add", "--repository-key", file, "--passphrase-file", old, "--new-secret-file", path("secret")))
                .isZero();
        assertThat(key("check", byFile[0], byFile[1], byFile[2], byFile[3])).isZero();
        assertThat(printed())
                .contains("holds key " + id)
                .contains("1: a passphrase (Argon2id, 3 passes over 64 MiB)\n")
                .contains("2: a secret file, opened by what was given");

        assertThat(key("change", "--repository-key", file, "--passphrase-file", old, "--new-passphrase-file", fresh))
                .isZero();
        assertThat(key("check", "--repository-key", file, "--passphrase-file", old))
                .isEqualTo(1);
        assertThat(said()).startsWith("shredder-backup: the passphrase is not one of key " + id);

        assertThat(key("remove", byFile[0], byFile[1], byFile[2], byFile[3], "--wrapping", "1"))
                .isZero();
        assertThat(key("remove", byFile[0], byFile[1], "--passphrase-file", fresh, "--wrapping", "1"))
                .isEqualTo(1);
        assertThat(said()).contains("this is the only wrapping");
        assertThat(key("paper", byFile[0], byFile[1], byFile[2], byFile[3])).isEqualTo(1);

        assertThat(key("paper", byFile[0], byFile[1], "--passphrase-file", fresh))
                .isZero();
        Path paper = Files.writeString(folder.resolve("paper"), printed());
        assertThat(key("create", path("again"), "--from-paper", paper.toString(), "--new-secret-file", path("other")))
                .isZero();
        assertThat(printed()).contains("holds key " + id);
    }

    @Test
    void mistakesAreNamedAndChangeNothing() throws IOException {
        String passphrase = passphrase("p", "a good passphrase");
        assertThat(key("create", path("k"), "--new-passphrase-file", passphrase("short", "short")))
                .isEqualTo(1);
        assertThat(said()).contains("shorter than 8 characters");
        assertThat(key("create", path("k"), "--new-passphrase-file", passphrase, "--new-secret-file", path("s")))
                .isEqualTo(1);
        assertThat(said()).contains("choose one");
        assertThat(key("check", "--repository-key", path("k"), "--passphrase-file", passphrase))
                .isEqualTo(1);
        assertThat(said()).contains("there is no key file " + path("k"));
        assertThat(folder.resolve("k")).doesNotExist();
        Files.writeString(folder.resolve("taken"), "precious");
        assertThat(key("create", path("taken"), "--new-secret-file", path("s"))).isEqualTo(1);
        assertThat(said()).contains("exists: name another file");
        assertThat(folder.resolve("taken")).hasContent("precious");
        assertThat(folder.resolve("s")).doesNotExist();
        assertThat(key()).isEqualTo(2);
        assertThat(said()).contains("missing command: create, add, change, remove, paper, verification, check");
    }
}
