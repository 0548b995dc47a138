// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.running;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * What a machine is besides its disks.
 *
 * @param xml libvirt's definition, with what {@code virsh define} needs
 * @param nvram the file with the firmware's variables, such as what is to be booted, if the machine has one
 */
record MachineDefinition(String xml, Optional<Path> nvram) {

    /** Of the series' name, behind the machine's. */
    static final String SERIES = "definition";

    /** Writes it as a ZIP file, {@code domain.xml} and {@code nvram}: the same bytes as long as nothing changes. */
    void write(Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            add(zip, "domain.xml", xml.getBytes(StandardCharsets.UTF_8));
            if (nvram.isPresent()) {
                add(zip, "nvram", Files.readAllBytes(nvram.get()));
            }
        }
    }

    private static void add(ZipOutputStream zip, String name, byte[] bytes) throws IOException {
        ZipEntry entry = new ZipEntry(name);
        entry.setTime(0);
        zip.putNextEntry(entry);
        zip.write(bytes);
        zip.closeEntry();
    }
}
