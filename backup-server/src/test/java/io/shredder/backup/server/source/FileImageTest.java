// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;

class FileImageTest extends ImageSourceContract {

    @Override
    protected ImageSource open(Path raw) throws IOException {
        return new ImageAddress.RawFile(raw).open();
    }

    @Override
    protected int imageBytes() {
        return super.imageBytes() + 777;
    }

    /** What the contract wrote, in blocks of the file system. */
    @Override
    protected long mostDataBytes() {
        return (4 << 20) + 200_000;
    }

    @Test
    void aFileThatGrowsOrShrinksIsFoundOut() throws IOException {
        Path file = Files.write(folder.resolve("changing"), new byte[100_000]);
        try (ImageSource source = new ImageAddress.RawFile(file).open()) {
            Files.write(file, new byte[1], StandardOpenOption.APPEND);
            assertThatThrownBy(source::checkUnchanged)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("changed while it was read: it had 100000 bytes, now it has 100001");
            Files.write(file, new byte[10]);
            assertThatThrownBy(() -> source.read(ByteBuffer.allocateDirect(4096), 8192))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("changed while it was read");
        }
    }

    @Test
    void aFileWhoseNameIsNotAsciiIsOpened() throws IOException {
        Path file = Files.write(folder.resolve("Größe, 大きい.img"), new byte[5]);
        try (ImageSource source = new ImageAddress.RawFile(file).open()) {
            assertThat(source.imageBytes()).isEqualTo(5);
        }
    }

    @Test
    void whatIsNoFileOrNoDeviceIsNamed() {
        assertThatThrownBy(() -> new ImageAddress.RawFile(Path.of("/dev/null")).open())
                .hasMessage("image /dev/null is not an ordinary file: copy it to one first");
        assertThatThrownBy(() -> new ImageAddress.Device(Path.of("/dev/null")).open())
                .hasMessage("image /dev/null is not a block device: name an ordinary file as a file");
        assertThatThrownBy(() -> new ImageAddress.RawFile(folder.resolve("no")).open())
                .hasMessage("image " + folder.resolve("no") + " doesn't exist");
    }
}
