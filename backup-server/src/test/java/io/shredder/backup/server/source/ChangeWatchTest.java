// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChangeWatchTest {

    private static final Instant BEFORE = Instant.parse("2026-01-02T03:04:05Z");

    @TempDir
    private Path folder;

    private Path file(String name) throws IOException {
        Path file = Files.write(folder.resolve(name), new byte[100]);
        Files.setLastModifiedTime(file, FileTime.from(BEFORE));
        return file;
    }

    @Test
    void aFileThatIsWrittenInPlaceIsSeen() throws IOException {
        Path file = file("image");
        try (ImageSource image = new ImageAddress.RawFile(file).open()) {
            assertThat(image.change()).isEmpty();
            Files.write(file, new byte[1], StandardOpenOption.WRITE);
            assertThat(image.change()).hasValueSatisfying(text -> assertThat(text)
                    .startsWith("its file was written at 20")
                    .hasSizeLessThan(128));
        }
    }

    @Test
    void anotherFileInItsPlaceIsNoChangeOfWhatWasRead() throws IOException {
        Path file = file("image");
        ChangeWatch watch = WatchedFiles.of(List.of(file));
        Files.move(file("other"), file, StandardCopyOption.REPLACE_EXISTING);
        Files.setLastModifiedTime(file, FileTime.from(BEFORE.plusSeconds(1)));
        assertThat(watch.change()).isEmpty();
        Files.delete(file);
        assertThat(watch.change()).isEmpty();
    }

    @Test
    void aFileBehindAQcow2ImageIsWatchedToo() throws IOException {
        Path base = folder.resolve("base.qcow2");
        Path top = folder.resolve("top.qcow2");
        ImageSourceContract.run("qemu-img", "create", "-q", "-f", "qcow2", base.toString(), "1M");
        ImageSourceContract.run(
                "qemu-img", "create", "-q", "-f", "qcow2", "-F", "qcow2", "-b", base.toString(), top.toString());
        try (ImageSource image = new ImageAddress.Qcow2(top).open()) {
            assertThat(image.change()).isEmpty();
            Files.setLastModifiedTime(base, FileTime.from(BEFORE));
            assertThat(image.change()).hasValue("its file was written at " + BEFORE);
        }
    }

    @Test
    void aDeviceIsWatchedByItsCountOfWritesAndItsSequence() throws IOException {
        Path device = Files.createDirectories(folder.resolve("sda"));
        Path partition = Files.createDirectories(device.resolve("sda1"));
        Files.writeString(device.resolve("diskseq"), "9\n");
        Files.writeString(partition.resolve("stat"), "  11 0 22 3    41 5 66 7 0 0 0\n");
        ChangeWatch watch = new WatchedDevice(partition);
        assertThat(watch.change()).isEmpty();
        Files.writeString(partition.resolve("stat"), "  99 0 88 3    44 5 66 7 0 0 0\n");
        assertThat(watch.change()).hasValue("the device was written 3 times");
        Files.writeString(device.resolve("diskseq"), "10\n");
        assertThat(watch.change()).hasValue("another disk took the device's place");
        assertThat(new WatchedDevice(folder.resolve("nowhere")).change()).isEqualTo(Optional.empty());
    }
}
