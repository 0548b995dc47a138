// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.targets;

import io.shredder.backup.posix.PosixFile;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Who uses a block device: file systems, swap, and devices made of it, by {@code /proc} and {@code /sys}; whatever
 * these don't show, by the kernel's refusal.
 */
final class DeviceUse {

    private static final Path MOUNTS = Path.of("/proc/self/mountinfo");
    private static final Path SWAPS = Path.of("/proc/swaps");
    private static final Path DEVICES = Path.of("/sys/dev/block");

    private DeviceUse() {}

    /** Refuses a device that is in use, whole or in part, under any name, or of which that can't be seen. */
    private static void checkUnused(Path device) throws IOException {
        Path known = DEVICES.resolve(number((long) Files.getAttribute(device, "unix:rdev")));
        if (!Files.exists(known)) {
            throw new IOException(
                    "who uses device " + device + " can't be seen, since there is no " + known + ": have /sys mounted");
        }
        Path system = known.toRealPath();
        List<Path> parts = new ArrayList<>(List.of(system));
        try (DirectoryStream<Path> inside = Files.newDirectoryStream(system, system.getFileName() + "*")) {
            inside.forEach(parts::add);
        }
        for (Path part : parts) {
            checkPart(device, part);
        }
    }

    /**
     * Claims a device that is not in use, so that nobody begins to use it either.
     *
     * @return closed by the caller
     */
    static PosixFile claim(Path device) throws IOException {
        checkUnused(device);
        return PosixFile.claim(device)
                .orElseThrow(() -> used(
                        device,
                        "the kernel lets nobody else have it. That may be a file system of several devices, such as btrfs"
                                + " or ZFS, or what is mounted in a container: take that down first"));
    }

    /** As Linux writes it: {@code major:minor}. */
    private static String number(long device) {
        long major = (device >> 8 & 0xfff) | (device >> 32 & 0xfffff000L);
        long minor = (device & 0xff) | (device >> 12 & 0xffffff00L);
        return major + ":" + minor;
    }

    private static void checkPart(Path device, Path system) throws IOException {
        Path numbers = system.resolve("dev");
        if (!Files.exists(numbers)) {
            return;
        }
        String number = Files.readString(numbers).strip();
        for (String line : Files.readAllLines(MOUNTS)) {
            String[] fields = line.split(" ", -1);
            if (fields[2].equals(number)) {
                throw used(device, "it is mounted on " + fields[4] + ": unmount it first");
            }
        }
        for (String line : Files.readAllLines(SWAPS)) {
            if (line.startsWith("/dev/" + system.getFileName() + " ")) {
                throw used(device, "it is swap space: switch that off first");
            }
        }
        Path holders = system.resolve("holders");
        if (Files.isDirectory(holders)) {
            try (DirectoryStream<Path> inside = Files.newDirectoryStream(holders)) {
                for (Path holder : inside) {
                    throw used(device, holder.getFileName() + " is made of it: take that down first");
                }
            }
        }
    }

    private static IOException used(Path device, String why) {
        return new IOException("device " + device + " is in use: " + why);
    }
}
