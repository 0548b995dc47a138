// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BroughtFilesTest {

    private static final Instant TIME = Instant.parse("2020-02-03T04:05:06.789Z");

    @TempDir
    private Path temp;

    private final List<String> failures = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();

    @Test
    void filesComeWithTheirBytesModesAndTimesAndHoles() throws Exception {
        try (BroughtFiles files = files(false)) {
            files.found(facts("/etc", FileKind.FOLDER, 0755, 0, 1, null));
            bring(files, "/etc/a.conf", 0640, "hello");
            files.found(facts("/etc/holes", FileKind.FILE, 0600, 100_000, 1, null));
            files.bytes(ByteBuffer.allocate(100_000));
            files.finish();
        }
        assertThat(failures).isEmpty();
        Path file = root().resolve("etc/a.conf");
        assertThat(file).hasContent("hello");
        assertThat(Files.getLastModifiedTime(file)).isEqualTo(FileTime.from(TIME));
        assertThat(Files.getLastModifiedTime(file.getParent())).isEqualTo(FileTime.from(TIME));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-r-----");
        assertThat(Files.readAllBytes(root().resolve("etc/holes"))).isEqualTo(new byte[100_000]);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/../outside",
                "/a/../../outside",
                "outside",
                "../outside",
                "/a/..",
                "/./a",
                "/a//b",
                "/a/\0b",
                "",
                "/a/b/"
            })
    void aPathThatLeavesTheFolderOrIsNoneIsRefused(String path) throws Exception {
        try (BroughtFiles files = files(true)) {
            bring(files, path, 0644, "evil");
            files.found(facts(path, FileKind.FOLDER, 0755, 0, 1, null));
            files.found(facts(path, FileKind.LINK, 0777, 0, 1, "/etc/passwd"));
            files.finish();
        }
        assertThat(failures).hasSize(3);
        assertThat(written()).isEmpty();
        assertThat(temp.resolve("outside")).doesNotExist();
    }

    @Test
    void nothingIsWrittenThroughALinkOfTheImage() throws Exception {
        Path outside = Files.createDirectory(temp.resolve("outside"));
        try (BroughtFiles files = files(true)) {
            files.found(facts("/way", FileKind.LINK, 0777, 0, 1, outside.toString()));
            bring(files, "/way/file", 0644, "evil");
            files.finish();
        }
        assertThat(outside).isEmptyDirectory();
        assertThat(failures).hasSize(1);
        assertThat(root().resolve("way/file")).hasContent("evil");
    }

    @Test
    void nothingIsWrittenThroughALinkThatIsThereAlready() throws Exception {
        Path outside = Files.createDirectory(temp.resolve("outside"));
        Files.createSymbolicLink(Files.createDirectories(root()).resolve("way"), outside);
        Path precious = Files.writeString(temp.resolve("precious"), "precious");
        Files.createSymbolicLink(root().resolve("file"), precious);
        try (BroughtFiles files = files(true)) {
            bring(files, "/way/file", 0644, "evil");
            bring(files, "/file", 0644, "new");
            files.finish();
        }
        assertThat(outside).isEmptyDirectory();
        assertThat(precious).hasContent("precious");
        assertThat(root().resolve("file")).hasContent("new").isRegularFile();
        assertThat(failures).singleElement().asString().contains("nothing is written through it");
    }

    /** As somebody may who can write there, while root brings the files. */
    @Test
    void noModeIsSetThroughALinkThatTookAFoldersPlace() throws Exception {
        Path outside = Files.createDirectory(temp.resolve("outside"));
        Files.createDirectory(outside.resolve("inner"));
        var alone = PosixFilePermissions.fromString("rwx------");
        Files.setPosixFilePermissions(outside, alone);
        Files.setPosixFilePermissions(outside.resolve("inner"), alone);
        try (BroughtFiles files = files(true)) {
            files.found(facts("/", FileKind.FOLDER, 0750, 0, 1, null));
            files.found(facts("/swapped", FileKind.FOLDER, 0777, 0, 1, null));
            files.found(facts("/above", FileKind.FOLDER, 0777, 0, 1, null));
            files.found(facts("/above/inner", FileKind.FOLDER, 0777, 0, 1, null));
            Files.move(root().resolve("swapped"), temp.resolve("away1"));
            Files.move(root().resolve("above"), temp.resolve("away2"));
            Files.createSymbolicLink(root().resolve("swapped"), outside);
            Files.createSymbolicLink(root().resolve("above"), outside);
            files.finish();
        }
        assertThat(Files.getPosixFilePermissions(outside)).isEqualTo(alone);
        assertThat(Files.getPosixFilePermissions(outside.resolve("inner"))).isEqualTo(alone);
        assertThat(failures).hasSize(3);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(root())))
                .isEqualTo("rwxr-x---");
    }

    @Test
    void anOwnerMayHaveAnyIdThatLinuxKnows() throws Exception {
        assertThat(FileDress.id(4294967294L)).isEqualTo(-2);
        for (long none : new long[] {-1, 4294967295L, 1L << 40}) {
            assertThatThrownBy(() -> FileDress.id(none)).hasMessageContaining("nobody can be");
        }
        assumeTrue(System.getProperty("user.name").equals("root"), "owners are given by root alone");
        Path file = Files.createFile(temp.resolve("file"));
        FileDress.own(file, new FileFacts.Ownership(4294967294L, 3_000_000_000L));
        assertThat(Files.getAttribute(file, "unix:uid")).isEqualTo(-2);
        assertThat(Files.getAttribute(file, "unix:gid")).isEqualTo((int) 3_000_000_000L);
    }

    @Test
    void noFolderIsMadeThroughALinkEither() throws Exception {
        Path outside = Files.createDirectory(temp.resolve("outside"));
        Files.createSymbolicLink(Files.createDirectories(root()).resolve("old"), outside);
        try (BroughtFiles files = files(true)) {
            bring(files, "/old/made/file", 0644, "evil");
            files.found(facts("/old/made", FileKind.FOLDER, 0755, 0, 1, null));
            // Links are made in their order: the first one leads out, and the second lies behind it.
            files.found(facts("/new", FileKind.LINK, 0777, 0, 1, outside.toString()));
            files.found(facts("/new/made/link", FileKind.LINK, 0777, 0, 1, "anywhere"));
            files.finish();
        }
        assertThat(outside).isEmptyDirectory();
        assertThat(failures).hasSize(3);
    }

    @Test
    void aHardLinkIsMadeOnlyOfAFileThatCameFromTheImage() throws Exception {
        Path precious = Files.writeString(Files.createDirectories(root()).resolve("precious"), "precious");
        try (BroughtFiles files = files(true)) {
            files.found(facts("/first", FileKind.FILE, 0644, 5, 2, null));
            files.bytes(bytes("hello"));
            files.found(facts("/second", FileKind.HARD_LINK, 0644, 5, 2, "/first"));
            files.found(facts("/third", FileKind.HARD_LINK, 0644, 8, 2, "/precious"));
            files.found(facts("/fourth", FileKind.HARD_LINK, 0644, 8, 2, "/../../etc/passwd"));
            files.finish();
        }
        assertThat(Files.getAttribute(root().resolve("second"), "unix:ino"))
                .isEqualTo(Files.getAttribute(root().resolve("first"), "unix:ino"));
        assertThat(Files.getAttribute(precious, "unix:nlink")).isEqualTo(1);
        assertThat(root().resolve("third")).doesNotExist();
        assertThat(failures).hasSize(2);
    }

    @Test
    void whatIsThereIsReplacedOnlyWhenWanted() throws Exception {
        Files.writeString(Files.createDirectories(root()).resolve("a"), "old");
        try (BroughtFiles files = files(false)) {
            bring(files, "/a", 0644, "new");
            files.finish();
        }
        assertThat(failures).singleElement().asString().contains("--overwrite");
        assertThat(root().resolve("a")).hasContent("old");
        try (BroughtFiles files = files(true)) {
            bring(files, "/a", 0644, "new");
            files.finish();
        }
        assertThat(root().resolve("a")).hasContent("new");
    }

    @Test
    void bitsThatLendRightsAreLeftOutAndDevicesAreNotMade() throws Exception {
        try (BroughtFiles files = files(false)) {
            bring(files, "/su", 06755, "x");
            files.found(facts("/null", FileKind.CHARACTER_DEVICE, 0666, 0, 1, null));
            files.found(facts("/pipe", FileKind.PIPE, 0666, 0, 1, null));
            files.finish();
        }
        assertThat((int) Files.getAttribute(root().resolve("su"), "unix:mode") & 07777)
                .isEqualTo(0755);
        assertThat(written()).containsExactly("su");
        assertThat(remarks).hasSize(2);
        assertThat(failures).isEmpty();
    }

    @Test
    void aFileThatFailsOrIsCutOffLeavesNothingAndTheNextComes() throws Exception {
        try (BroughtFiles files = files(false)) {
            files.found(facts("/broken", FileKind.FILE, 0644, 10, 1, null));
            files.bytes(bytes("hello"));
            files.failed("/broken", "a chunk is damaged");
            files.found(facts("/huge", FileKind.FILE, 0644, Long.MAX_VALUE, 1, null));
            bring(files, "/good", 0644, "good");
            files.found(facts("/cut", FileKind.FILE, 0644, 10, 1, null));
            files.bytes(bytes("hello"));
        }
        assertThat(written()).containsExactly("good");
        assertThat(failures).hasSize(2);
        assertThat(failures.get(1)).contains("--sparse");
    }

    private Path root() {
        return temp.resolve("to");
    }

    private BroughtFiles files(boolean overwrite) throws IOException {
        return new BroughtFiles(
                root(),
                new BroughtFiles.Rules(overwrite, false, 1 << 20),
                (path, why) -> failures.add(path + " " + why),
                (path, why) -> remarks.add(path + " " + why));
    }

    private List<String> written() throws IOException {
        try (Stream<Path> all = Files.walk(root())) {
            return all.filter(path -> !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
                    .map(path -> root().relativize(path).toString())
                    .toList();
        }
    }

    private static void bring(BroughtFiles files, String path, int mode, String content) throws IOException {
        files.found(facts(path, FileKind.FILE, mode, content.length(), 1, null));
        files.bytes(bytes(content));
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static FileFacts facts(
            String path,
            FileKind kind,
            int mode,
            long size,
            int names,
            @org.jspecify.annotations.Nullable String target) {
        FileFacts.Ownership owner = new FileFacts.Ownership(0, 0);
        return new FileFacts(path, kind, owner, mode, size, TIME, names, Optional.ofNullable(target));
    }
}
