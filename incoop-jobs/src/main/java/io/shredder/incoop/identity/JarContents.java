// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.identity;

import io.shredder.chunk.Fingerprint;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/**
 * What tells one jar from another, found without reading it whole.
 *
 * @param digest SHA-256 of the jar's length, and of the length and two checksums of its central directory. That holds
 *     each entry's name, length and CRC-32; since these are no stronger, a cryptographic digest of the directory would
 *     say no more, and take a task's young JVM ten times as long
 * @param references the places that its manifest puts on the class path, in order
 * @param holdsReferencesAlone whether it has nothing but that manifest, as one that is made to shorten a command line
 */
record JarContents(Fingerprint digest, List<Path> references, boolean holdsReferencesAlone) {

    private static final byte[] MANIFEST = JarFile.MANIFEST_NAME.getBytes(StandardCharsets.US_ASCII);

    /**
     * The contents of a jar; empty if the file is called something else, is none, or is damaged.
     *
     * @throws IOException if it can't be read
     */
    static Optional<JarContents> of(Path jar) throws IOException {
        String name = jar.toString().toLowerCase(Locale.ROOT);
        if (!name.endsWith(".jar") && !name.endsWith(".zip")) {
            return Optional.empty();
        }
        try (RandomAccessFile file = new RandomAccessFile(jar.toFile(), "r")) {
            Optional<JarDirectory> directory = JarDirectory.of(file);
            return directory.isPresent() ? Optional.of(of(jar, file.length(), directory.get())) : Optional.empty();
        }
    }

    private static JarContents of(Path jar, long length, JarDirectory directory) throws IOException {
        List<Path> references = references(jar, directory.content(MANIFEST));
        boolean alone = !references.isEmpty()
                && directory.allNames(name -> name.endsWith("/") || name.equals(JarFile.MANIFEST_NAME));
        return new JarContents(digest(length, directory.bytes()), references, alone);
    }

    private static Fingerprint digest(long length, byte[] directory) {
        CRC32 crc32 = new CRC32();
        crc32.update(directory, 0, directory.length);
        CRC32C crc32c = new CRC32C();
        crc32c.update(directory, 0, directory.length);
        return Fingerprint.ofData(ByteBuffer.allocate(4 * Long.BYTES)
                .putLong(length)
                .putLong(directory.length)
                .putLong(crc32.getValue())
                .putLong(crc32c.getValue())
                .flip());
    }

    private static List<Path> references(Path jar, Optional<byte[]> manifest) throws IOException {
        String classPath = classPath(manifest.orElse(new byte[0]));
        return Arrays.stream(classPath.split("\\s+"))
                .filter(reference -> !reference.isEmpty())
                .flatMap(reference -> place(jar, reference).stream())
                .toList();
    }

    /** Of what is no reference a class loader takes nothing, either. */
    private static Optional<Path> place(Path jar, String reference) {
        try {
            URI place = jar.toUri().resolve(reference);
            return "file".equals(place.getScheme())
                    ? Optional.of(new File(place.getPath()).toPath())
                    : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Most manifests name none, and some are long: they are parsed only if they do. */
    private static String classPath(byte[] manifest) throws IOException {
        String text = new String(manifest, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
        if (!text.contains("class-path")) {
            return "";
        }
        String value = new Manifest(new ByteArrayInputStream(manifest))
                .getMainAttributes()
                .getValue("Class-Path");
        return value == null ? "" : value.trim();
    }
}
