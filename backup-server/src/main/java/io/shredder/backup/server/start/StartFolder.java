// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.start;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Pattern;

/**
 * Makes the part of a quick start for which a Java runtime has no tools; {@code bin/shredder-quick-start} says what all
 * of it is. Libraries are taken out of their jars. Signed jars are checked, once, and get unsigned copies.
 */
public final class StartFolder {

    /** A library, and the jar that has it: both as patterns. */
    private record Library(String jar, Pattern entry) {
        Library(String jar, String entry) {
            this(jar, Pattern.compile(entry));
        }
    }

    private static final String CORRETTO = "AmazonCorrettoCryptoProvider-";

    private static final List<Library> LIBRARIES = List.of(
            new Library(CORRETTO + ".*", "com/amazon/.*\\.so"),
            new Library("netty-tcnative-boringssl-static-.*-linux-x86_64", "META-INF/native/.*\\.so"),
            new Library("shredder-native-.*-linux-x86_64", "io/shredder/.*/libshredder\\.so"),
            new Library("zstd-jni-.*", "linux/amd64/.*\\.so"),
            new Library("jna-.*", "com/sun/jna/linux-x86-64/libjnidispatch\\.so"));

    private static final List<String> SIGNED = List.of(CORRETTO + ".*", "bcprov-.*");

    private static final Pattern LEFT_OUT =
            Pattern.compile("META-INF/(MANIFEST\\.MF|[^/]*\\.(SF|RSA|DSA|EC))|.*\\.so|.*/");

    private StartFolder() {}

    /**
     * Makes a folder for this process's class path.
     *
     * @param args the folder, which is there and empty, and where it will lie in the end
     */
    public static void main(String[] args) {
        try {
            make(List.of(System.getProperty("java.class.path").split(File.pathSeparator)), Path.of(args[0]), args[1]);
        } catch (IOException | SecurityException e) {
            System.err.println("quick-start: " + e.getMessage());
            System.exit(1);
        }
    }

    /**
     * Fills an empty folder: libraries, unsigned copies of jars, {@code class-path} and {@code options}, which name
     * them where the folder will lie.
     *
     * @throws IOException if a jar isn't there, is not signed throughout, or can't be read
     * @throws SecurityException if a signature is not that of a file
     */
    static void make(List<String> classPath, Path folder, String place) throws IOException {
        String zstd = "";
        for (Library library : LIBRARIES) {
            String name = takeOut(jarOf(classPath, library.jar()), library.entry(), folder);
            zstd = name.startsWith("libzstd") ? name : zstd;
        }
        List<String> unsigned = new ArrayList<>(classPath);
        for (String pattern : SIGNED) {
            Path jar = jarOf(classPath, pattern);
            copyUnsigned(jar, folder.resolve(nameOf(jar)));
            unsigned.replaceAll(entry -> entry.equals(jar.toString()) ? place + "/" + nameOf(jar) : entry);
        }
        Files.writeString(folder.resolve("class-path"), String.join(File.pathSeparator, unsigned) + "\n");
        Files.write(
                folder.resolve("options"),
                List.of(
                        "-Djava.library.path=" + place,
                        "-Dcom.amazon.corretto.crypto.provider.useExternalLib=true",
                        "-Dshredder.library.path=" + place + "/libshredder.so",
                        "-DZstdNativePath=" + place + "/" + zstd,
                        "-Djna.boot.library.path=" + place));
    }

    private static Path jarOf(List<String> classPath, String pattern) throws IOException {
        Pattern name = Pattern.compile(pattern + "\\.jar");
        for (String entry : classPath) {
            if (name.matcher(nameOf(Path.of(entry))).matches()) {
                return Path.of(entry);
            }
        }
        throw new IOException("no " + name + " in the class path");
    }

    private static String nameOf(Path file) {
        return String.valueOf(file.getFileName());
    }

    private static String takeOut(Path file, Pattern library, Path folder) throws IOException {
        try (JarFile jar = new JarFile(file.toFile(), false)) {
            for (JarEntry entry : (Iterable<JarEntry>) jar.stream()::iterator) {
                if (library.matcher(entry.getName()).matches()) {
                    String name = nameOf(Path.of(entry.getName()));
                    try (InputStream in = jar.getInputStream(entry)) {
                        Files.copy(in, folder.resolve(name));
                    }
                    return name;
                }
            }
        }
        throw new IOException("no " + library + " in " + file);
    }

    /** Java checks an entry's digest as its last byte is read, and tells its signers after that. */
    private static void copyUnsigned(Path signed, Path copy) throws IOException {
        try (JarFile jar = new JarFile(signed.toFile(), true);
                OutputStream file = Files.newOutputStream(copy);
                JarOutputStream out = new JarOutputStream(file, mainAttributes(jar))) {
            for (JarEntry entry : (Iterable<JarEntry>) jar.stream()::iterator) {
                byte[] bytes;
                try (InputStream in = jar.getInputStream(entry)) {
                    bytes = in.readAllBytes();
                }
                if (entry.getCodeSigners() == null && !entry.getName().matches("META-INF/[^/]*|.*/")) {
                    throw new IOException("the signature of " + signed + " is not good: it is not of " + entry);
                }
                if (!LEFT_OUT.matcher(entry.getName()).matches()) {
                    out.putNextEntry(new JarEntry(entry.getName()));
                    out.write(bytes);
                }
            }
        }
    }

    /** The manifest without the digests of files. */
    private static Manifest mainAttributes(JarFile jar) throws IOException {
        Manifest all = jar.getManifest();
        if (all == null) {
            throw new IOException("there is no manifest in " + jar.getName());
        }
        var main = new Manifest();
        main.getMainAttributes().putAll(all.getMainAttributes());
        return main;
    }
}
