// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.identity;

import io.shredder.chunk.Fingerprint;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What this thread's classes and resources may come from, in the order in which they are looked for, but for the JDK: the places of the
 * class loaders from the context's to the application's, then those that jars name in their manifests. One thread.
 */
final class ClassPath {

    /** How an entry that is a folder is called: a program that unpacks itself draws a new name at each start. */
    private static final String FOLDER = "folder";

    private final Set<Path> seen = new HashSet<>();
    private final List<Entry> entries = new ArrayList<>();

    /**
     * One place of the class path.
     *
     * @param name the file's name
     * @param digest of what it holds
     */
    record Entry(String name, Fingerprint digest) {}

    private ClassPath(Collection<Path> leftOut) {
        leftOut.forEach(path -> seen.add(real(path)));
    }

    /**
     * The entries of this thread's class path.
     *
     * @param leftOut places that don't count, such as the working folder of a container
     */
    static List<Entry> ofThisThread(Collection<Path> leftOut) throws IOException {
        ClassPath path = new ClassPath(leftOut);
        ClassLoader application = ClassLoader.getSystemClassLoader();
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        for (ClassLoader loader = context; loader != null && loader != application; loader = loader.getParent()) {
            path.addLoader(loader);
        }
        for (Path place : inAnOrderOfItsOwn(System.getProperty("java.class.path", ""))) {
            path.addPlace(place);
        }
        return path.entries;
    }

    private void addLoader(ClassLoader loader) throws IOException {
        if (loader instanceof URLClassLoader known) {
            for (URL url : known.getURLs()) {
                addUrl(url);
            }
        } else if (loader != ClassLoader.getPlatformClassLoader()) {
            // Nobody knows where it takes classes from; what it is says at least that it is there.
            entries.add(new Entry(
                    loader.getClass().getSimpleName(),
                    IdentityParts.digest(new CodeDigests().described(loader.getClass()))));
        }
    }

    private void addUrl(URL url) throws IOException {
        Path file = file(url);
        if (file != null) {
            addPlace(file);
        } else {
            entries.add(new Entry(url.getPath().replaceFirst(".*/", ""), IdentityParts.digest(url.toString())));
        }
    }

    private static @Nullable Path file(URL url) {
        try {
            return url.getProtocol().equals("file") ? new File(url.toURI()).toPath() : null;
        } catch (URISyntaxException | IllegalArgumentException e) {
            return null;
        }
    }

    /** A second time, or missing, it changes nothing. */
    private void addPlace(Path place) throws IOException {
        if (!seen.add(real(place)) || !Files.isReadable(place)) {
            return;
        }
        if (Files.isDirectory(place)) {
            entries.add(new Entry(FOLDER, FolderDigest.of(place)));
            return;
        }
        JarReferences references = JarReferences.of(place);
        if (!references.areAll()) {
            entries.add(new Entry(place.getFileName().toString(), CodeDigests.of(place, Set.of())));
        }
        for (Path other : references.places()) {
            addPlace(other);
        }
    }

    /**
     * The entries of a class path. What stands for all jars of a folder there gives them in the order of the file system, which
     * is another one on each machine, so they are taken by name.
     */
    private static List<Path> inAnOrderOfItsOwn(String classPath) {
        Set<Path> foldersOfAll = new HashSet<>();
        for (String entry : split(System.getenv().getOrDefault("CLASSPATH", ""))) {
            if (entry.equals("*") || entry.endsWith(File.separator + "*")) {
                foldersOfAll.add(real(Path.of(entry.substring(0, entry.length() - 1))));
            }
        }
        List<Path> places = new ArrayList<>();
        List<Path> ofOneFolder = new ArrayList<>();
        Path folder = null;
        for (String entry : split(classPath)) {
            Path place = path(entry);
            if (place == null) {
                continue;
            }
            // Of the link, not of the file behind it: in a container these are links.
            Path parent = real(place.toAbsolutePath().resolveSibling(""));
            boolean fromAll = entry.toLowerCase(Locale.ROOT).endsWith(".jar") && foldersOfAll.contains(parent);
            if (!fromAll || !parent.equals(folder)) {
                places.addAll(sorted(ofOneFolder));
                ofOneFolder.clear();
            }
            folder = fromAll ? parent : null;
            (fromAll ? ofOneFolder : places).add(place);
        }
        places.addAll(sorted(ofOneFolder));
        return places;
    }

    private static List<Path> sorted(List<Path> jars) {
        return jars.stream()
                .sorted(Comparator.comparing(jar -> jar.getFileName().toString()))
                .toList();
    }

    private static List<String> split(String classPath) {
        return Arrays.asList(classPath.split(File.pathSeparator));
    }

    private static @Nullable Path path(String entry) {
        try {
            return Path.of(entry);
        } catch (InvalidPathException e) {
            return null;
        }
    }

    private static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            return path.toAbsolutePath().normalize();
        }
    }
}
