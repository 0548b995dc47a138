// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.machine;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;

/** Programs and firmware of others that a machine needs, found where distributions have them. */
final class QemuPrograms {

    /** Code and the variables that begin with it: Debian's, Fedora's, Arch's. */
    private static final List<List<Path>> UEFI = List.of(
            List.of(Path.of("/usr/share/OVMF/OVMF_CODE_4M.fd"), Path.of("/usr/share/OVMF/OVMF_VARS_4M.fd")),
            List.of(Path.of("/usr/share/OVMF/OVMF_CODE.fd"), Path.of("/usr/share/OVMF/OVMF_VARS.fd")),
            List.of(Path.of("/usr/share/edk2/ovmf/OVMF_CODE.fd"), Path.of("/usr/share/edk2/ovmf/OVMF_VARS.fd")),
            List.of(Path.of("/usr/share/edk2/x64/OVMF_CODE.4m.fd"), Path.of("/usr/share/edk2/x64/OVMF_VARS.4m.fd")));

    private QemuPrograms() {}

    static Path machine() throws IOException {
        return program("qemu-system-x86_64", "qemu-system-x86");
    }

    static Path image() throws IOException {
        return program("qemu-img", "qemu-utils");
    }

    private static Path program(String name, String debianPackage) throws IOException {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        for (String folder : path.split(":", -1)) {
            if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, name))) {
                return Path.of(folder, name);
            }
        }
        throw new IOException("no " + name + " on PATH: 'apt install " + debianPackage + "'");
    }

    /** Code and variables, if they are installed. */
    static Optional<List<Path>> uefi() {
        return UEFI.stream()
                .filter(pair -> pair.stream().allMatch(Files::isReadable))
                .findFirst();
    }

    /** Whether this user may use KVM, as far as opening it tells. */
    static boolean hasKvm() {
        try (FileChannel kvm =
                FileChannel.open(Path.of("/dev/kvm"), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return kvm.isOpen();
        } catch (IOException e) {
            return false;
        }
    }
}
