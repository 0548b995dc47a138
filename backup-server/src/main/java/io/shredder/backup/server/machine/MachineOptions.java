// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.machine;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What a machine is like.
 *
 * @param memoryMib of the machine
 * @param cores of the machine
 * @param network what it reaches
 * @param disk what its disk is plugged into
 * @param accelerator how its instructions run
 * @param firmware what it starts with
 * @param patience how long a sign of life is waited for
 */
public record MachineOptions(
        int memoryMib,
        int cores,
        Network network,
        Disk disk,
        Accelerator accelerator,
        Firmware firmware,
        Duration patience) {

    /** What a machine reaches. */
    public enum Network {
        NONE,
        /** Nothing; but this host reaches one port of it. */
        ISOLATED,
        /** What this host reaches, through QEMU's own router, as this user. */
        USER
    }

    /** What a disk is plugged into. */
    public enum Disk {
        VIRTIO,
        SCSI,
        IDE
    }

    /** How instructions run. */
    public enum Accelerator {
        /** KVM if this user may open it, else TCG. */
        AUTO,
        KVM,
        /** Without help of the processor: works everywhere, and takes several times as long. */
        TCG
    }

    /** What a machine starts with. */
    public enum Firmware {
        /** UEFI if the image has an EFI system partition and such firmware is installed, else BIOS. */
        AUTO,
        BIOS,
        UEFI
    }

    /** Checks the values. */
    public MachineOptions {
        if (memoryMib < 32) {
            throw new IllegalArgumentException("a machine of " + memoryMib + " MiB can't start: give it 32 or more");
        }
        if (cores < 1) {
            throw new IllegalArgumentException("a machine of " + cores + " cores can't start: give it 1 or more");
        }
        if (patience.isNegative() || patience.isZero()) {
            throw new IllegalArgumentException("a sign of life is waited for 1 second or more");
        }
    }

    /**
     * The value of one of the kinds above.
     *
     * @param option named in the error
     * @throws IllegalArgumentException if there is no such value
     */
    public static <E extends Enum<E>> E parse(Class<E> kind, String option, String word) {
        for (E value : kind.getEnumConstants()) {
            if (word(value).equals(word)) {
                return value;
            }
        }
        String words =
                Arrays.stream(kind.getEnumConstants()).map(MachineOptions::word).collect(Collectors.joining(", "));
        throw new IllegalArgumentException(option + " " + word + ": use one of " + words);
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
