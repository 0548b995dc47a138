// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.server.guest.ImageBytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineTest {

    @TempDir
    private Path temp;

    @Test
    void aLineOfTheConsoleIsFoundWithoutWhatSteersATerminal() throws Exception {
        Path serial = temp.resolve("serial");
        SerialConsole console = new SerialConsole(serial);
        LifeSign sign = new ConsoleSign(console, Pattern.compile("vm login:"));
        assertThat(sign.isSeen()).isFalse();
        Files.writeString(serial, "x".repeat(3_000_000) + "\n\n\u001b[0;32mOK\u001b[0m\nvm \u001b[1mlogin: ");
        assertThat(sign.isSeen()).isTrue();
        assertThat(console.lastLines(2)).containsExactly("OK", "vm login: ");
    }

    @Test
    void anEfiPartitionIsFoundInBothKindsOfTable() throws Exception {
        ByteBuffer disk = disk();
        assertThat(EfiPartition.isIn(image(disk))).isFalse();
        disk.put(446 + 16 + 4, (byte) 0xEF);
        assertThat(EfiPartition.isIn(image(disk))).isTrue();
        disk = gpt();
        assertThat(EfiPartition.isIn(image(disk))).isTrue();
        disk.putLong(1024 + 128, 0);
        assertThat(EfiPartition.isIn(image(disk))).isFalse();
    }

    @Test
    void noTableMakesTheSearchReadBeyondTheImage() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            ByteBuffer disk = gpt();
            for (int flips = random.nextInt(4); flips >= 0; flips--) {
                int at = random.nextInt(2) == 0 ? 512 + random.nextInt(100) : random.nextInt(disk.capacity());
                disk.put(at, (byte) random.nextInt());
            }
            assertThat(EfiPartition.isIn(image(disk))).as("seed %d", seed).isIn(true, false);
        }
    }

    @Test
    void optionsThatNoMachineCanHaveAreRefused() {
        assertThatThrownBy(() -> MachineOptions.parse(MachineOptions.Disk.class, "--disk", "floppy"))
                .hasMessage("--disk floppy: use one of virtio, scsi, ide");
        assertThat(MachineOptions.parse(MachineOptions.Disk.class, "--disk", "ide"))
                .isEqualTo(MachineOptions.Disk.IDE);
        assertThatThrownBy(() -> new BootTest.Signs(Optional.empty(), OptionalInt.empty(), false))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static ByteBuffer disk() {
        return ByteBuffer.allocate(64 << 10).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** The second entry is an EFI system partition. */
    private static ByteBuffer gpt() {
        ByteBuffer disk = disk();
        disk.put(512, "EFI PART".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        disk.putLong(512 + 72, 2).putInt(512 + 80, 128).putInt(512 + 84, 128);
        disk.putLong(1024 + 128, 0x11D2F81FC12A7328L).putLong(1024 + 136, 0x3BC93EC9A0004BBAL);
        return disk;
    }

    private static ImageBytes image(ByteBuffer disk) {
        return new ImageBytes() {
            @Override
            public long size() {
                return disk.capacity();
            }

            @Override
            public void read(long offset, ByteBuffer into) {
                into.put(disk.slice(Math.toIntExact(offset), into.remaining()));
            }
        };
    }
}
