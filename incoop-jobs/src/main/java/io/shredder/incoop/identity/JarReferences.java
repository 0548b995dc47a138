// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.identity;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/**
 * The other places that a jar's manifest puts on the class path.
 *
 * @param places in order
 * @param areAll whether the jar holds nothing else, as one that is made to shorten a command line
 */
record JarReferences(List<Path> places, boolean areAll) {

    private static final JarReferences NONE = new JarReferences(List.of(), false);

    static JarReferences of(Path jar) throws IOException {
        if (!JarDigest.isNamed(jar)) {
            return NONE;
        }
        try (ZipFile file = new ZipFile(jar.toFile())) {
            ZipEntry entry = file.getEntry(JarFile.MANIFEST_NAME);
            if (entry == null) {
                return NONE;
            }
            String value = classPath(file, entry);
            return value.isEmpty() ? NONE : new JarReferences(places(jar, value), isAlone(file));
        } catch (IllegalArgumentException | ZipException e) {
            // No jar, or no references: a class loader takes nothing from them, either.
            return NONE;
        }
    }

    /** Most manifests name none, and some are long: they are parsed only if they do. */
    private static String classPath(ZipFile file, ZipEntry entry) throws IOException {
        byte[] text;
        try (InputStream in = file.getInputStream(entry)) {
            text = in.readAllBytes();
        }
        String name = Attributes.Name.CLASS_PATH.toString().toLowerCase(Locale.ROOT);
        if (!new String(text, StandardCharsets.ISO_8859_1)
                .toLowerCase(Locale.ROOT)
                .contains(name)) {
            return "";
        }
        String value =
                new Manifest(new ByteArrayInputStream(text)).getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
        return value == null ? "" : value.trim();
    }

    private static List<Path> places(Path jar, String classPath) {
        List<Path> places = new ArrayList<>();
        for (String reference : classPath.split("\\s+", -1)) {
            URI place = jar.toUri().resolve(reference);
            if ("file".equals(place.getScheme())) {
                places.add(new File(place.getPath()).toPath());
            }
        }
        return places;
    }

    private static boolean isAlone(ZipFile file) {
        return file.stream()
                .allMatch(entry -> entry.isDirectory() || entry.getName().equals(JarFile.MANIFEST_NAME));
    }
}
