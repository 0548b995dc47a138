// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.targets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeviceTargetTest {

    private static final int BYTES = 4 << 20;

    @TempDir
    private Path folder;

    private final Random random = new Random(8);

    private byte[] image() {
        byte[] image = new byte[BYTES - 100_000];
        random.nextBytes(image);
        Arrays.fill(image, 500_000, 3_000_000, (byte) 0);
        return image;
    }

    private static void write(byte[] image, RestoreTarget target) throws IOException {
        target.expect(image.length);
        target.write(0, ByteBuffer.wrap(image, 0, 500_000));
        target.writeZeros(500_000, 2_500_000);
        target.write(3_000_000, ByteBuffer.wrap(image, 3_000_000, image.length - 3_000_000));
        target.commit(image.length);
    }

    private void assertHolds(byte[] image, byte[] before, byte[] after) {
        assertThat(Arrays.copyOf(after, image.length)).isEqualTo(image);
        assertThat(Arrays.copyOfRange(after, image.length, BYTES))
                .isEqualTo(Arrays.copyOfRange(before, image.length, BYTES));
    }

    @Test
    void whateverWasThereIsReplacedAlsoByZerosAndTheRestStays() throws IOException {
        byte[] image = image();
        byte[] before = new byte[BYTES];
        random.nextBytes(before);
        Path file = Files.write(folder.resolve("full"), before);
        try (DeviceTarget target = DeviceTarget.to(file)) {
            write(image, target);
            assertThatThrownBy(() -> target.expect(BYTES + 1)).hasMessageContaining("name a larger one");
        }
        assertHolds(image, before, Files.readAllBytes(file));
    }

    @Test
    void whatIsZeroAlreadyIsNotWritten() throws IOException, InterruptedException {
        byte[] image = image();
        Path file = folder.resolve("thin");
        try (FileChannel made = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            made.write(ByteBuffer.wrap(new byte[1]), BYTES - 1);
        }
        try (DeviceTarget target = DeviceTarget.to(file)) {
            write(image, target);
        }
        assertHolds(image, new byte[BYTES], Files.readAllBytes(file));
        assertThat(Long.parseLong(run("stat", "-c", "%b", file.toString()).orElseThrow()) * 512)
                .isLessThan(BYTES - 2_000_000);
    }

    @Test
    void anOrdinaryFileIsNoDevice() throws IOException {
        assertThat(DeviceTarget.isDevice(Files.createFile(folder.resolve("file"))))
                .isFalse();
        assertThat(DeviceTarget.isDevice(folder.resolve("absent"))).isFalse();
        assertThat(DeviceTarget.isDevice(Path.of("/dev/null"))).isFalse();
    }

    @Test
    void aLoopDeviceIsWrittenOnlyIfItIsFreeLargeEnoughAndForced() throws IOException, InterruptedException {
        byte[] before = new byte[BYTES];
        random.nextBytes(before);
        Path file = Files.write(folder.resolve("disk"), before);
        Optional<String> attached = run("losetup", "--find", "--show", file.toString());
        assumeTrue(attached.isPresent(), "no loop device can be had here: a restore to a device is not shown");
        Path device = Path.of(attached.orElseThrow());
        try {
            assertThat(DeviceTarget.isDevice(device)).isTrue();
            assertThatThrownBy(() -> DeviceTarget.open(device, false)).hasMessageContaining("say so with --force");
            byte[] image = image();
            try (DeviceTarget target = DeviceTarget.open(device, true)) {
                assertThatThrownBy(() -> target.expect(BYTES + 1)).hasMessageContaining("has " + BYTES + " bytes");
                assertThatThrownBy(() -> DeviceTarget.open(device, true))
                        .as("neither /proc nor /sys shows who has it, as of btrfs and of other mount namespaces")
                        .hasMessageContaining("is in use: the kernel lets nobody else have it");
                write(image, target);
            }
            assertHolds(image, before, Files.readAllBytes(file));
            assertInUseIsRefused(device);
        } finally {
            run("losetup", "--detach", device.toString());
        }
    }

    private void assertInUseIsRefused(Path device) throws IOException, InterruptedException {
        Path mounted = Files.createDirectory(folder.resolve("mounted"));
        assumeTrue(
                run("mkfs.ext4", "-q", "-F", device.toString()).isPresent()
                        && run("mount", device.toString(), mounted.toString()).isPresent(),
                "nothing can be mounted here: that a mounted device is refused is not shown");
        try {
            assertThatThrownBy(() -> DeviceTarget.open(device, true)).hasMessageContaining("mounted on " + mounted);
            Path alias = folder.resolve("alias");
            String minor = device.getFileName().toString().replace("loop", "");
            assertThat(run("mknod", alias.toString(), "b", "7", minor)).isPresent();
            assertThatThrownBy(() -> DeviceTarget.open(alias, true)).hasMessageContaining("mounted on " + mounted);
        } finally {
            run("umount", mounted.toString());
        }
    }

    /** What a program prints; empty if it fails or is not there. */
    static Optional<String> run(String... command) throws IOException, InterruptedException {
        try {
            Process process = new ProcessBuilder(List.of(command)).start();
            String out = new String(process.getInputStream().readAllBytes()).strip();
            return process.waitFor() == 0 ? Optional.of(out) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
