// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A compressed base, and upon it an overlay that holds some of what is in the image: needs {@code qemu-utils}. */
class Qcow2ImageTest extends ImageSourceContract {

    @Override
    protected ImageSource open(Path raw) throws IOException {
        Path base = folder.resolve("base.qcow2");
        Path overlay = folder.resolve("overlay.qcow2");
        run("qemu-img", "convert", "-c", "-f", "raw", "-O", "qcow2", raw.toString(), base.toString());
        run("qemu-img", "create", "-q", "-f", "qcow2", "-F", "qcow2", "-b", base.toString(), overlay.toString());
        run("qemu-io", "-c", "write -P 7 4M 128k", "-c", "write -z 4M 128k", "-f", "qcow2", overlay.toString());
        return new ImageAddress.Qcow2(overlay).open();
    }

    /** In clusters of 64 KiB; the zeros that were written were found to be zero by qemu-img. */
    @Override
    protected long mostDataBytes() {
        return 3 << 20;
    }

    @Test
    void aDamagedImageOrAMissingBackingFileIsNamedAndLeavesNothingBehind() throws IOException {
        Path damaged = Files.write(folder.resolve("damaged"), new byte[] {'Q', 'F', 'I', (byte) 0xfb, 0, 0, 0, 3});
        assertThatThrownBy(() -> new ImageAddress.Qcow2(damaged).open())
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("can't read qcow2 image " + damaged + ": ");
        Files.delete(folder.resolve("base.qcow2"));
        assertThatThrownBy(() -> new ImageAddress.Qcow2(folder.resolve("overlay.qcow2")).open())
                .hasMessageContaining("base.qcow2");
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            assertThat(files.filter(file -> file.getFileName().toString().startsWith("shredder-qcow2-")))
                    .hasSize(1); // the one of the image that the contract opened
        }
    }

    @Test
    void aServerWhoseSocketIsThereBeforeItListensIsWaitedFor() throws IOException {
        Path slow = folder.resolve("slow-nbd");
        Files.writeString(
                slow,
                """
                #!/bin/sh
                for argument; do
                    case $argument in --socket=*) bound=${argument#--socket=} ;; esac
                done
                python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$bound"
                sleep 0.3
                exec qemu-nbd "$@"
                """);
        assertThat(slow.toFile().setExecutable(true)).isTrue();
        try (ImageSource image = Qcow2Image.open(folder.resolve("overlay.qcow2"), slow.toString())) {
            assertThat(image.imageBytes()).isEqualTo(imageBytes());
        }
    }

    @Test
    void clustersThatCannotBeReadAreSkippedAndTheOthersAreRead() throws IOException {
        Path raw = folder.resolve("text");
        byte[] content = new byte[1 << 20];
        Random random = new Random(1);
        for (int i = 0; i < content.length; i++) {
            content[i] = (byte) ('a' + random.nextInt(4)); // Compressed, it is still of some length.
        }
        Files.write(raw, content);
        Path qcow2 = folder.resolve("text.qcow2");
        run("qemu-img", "convert", "-c", "-O", "qcow2", raw.toString(), qcow2.toString());
        byte[] file = Files.readAllBytes(qcow2);
        Files.write(qcow2, Arrays.copyOf(file, file.length / 10 * 7)); // What is cut off can't be decompressed.
        try (CheckedImage image =
                new CheckedImage(new ImageAddress.Qcow2(qcow2).open(), qcow2.toString(), OnReadError.SKIP, 128)) {
            ByteBuffer into = ByteBuffer.allocateDirect(content.length);
            image.read(into, 0);
            byte[] read = new byte[content.length];
            into.get(0, read);
            assertThat(image.skipped()).hasSize(1);
            Extent skipped = image.skipped().get(0);
            assertThat(skipped.offset()).isPositive().matches(at -> at % (64 << 10) == 0, "begins with a cluster");
            assertThat(skipped.end()).isEqualTo(content.length);
            // Of the cluster before, which was cut in two, qcow2 can't tell.
            int whole = (int) skipped.offset() - (64 << 10);
            assertThat(Arrays.mismatch(read, 0, whole, content, 0, whole)).isNegative();
            assertThat(Arrays.copyOfRange(read, (int) skipped.offset(), read.length))
                    .containsOnly(0);
        }
    }
}
