// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.identity;

import io.shredder.chunk.Fingerprint;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What this thread's classes and resources may come from but for the JDK, in the order in which they are looked for.
 * First the places of the class loaders from the context's to the application's, then those that jars name in their
 * manifests. One thread.
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
        for (Path path : leftOut) {
            seen.add(path.toAbsolutePath().normalize());
            seen.add(real(path));
        }
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
        String asGiven = System.getenv().getOrDefault("CLASSPATH", "");
        for (Path place : ClassPathOrder.of(System.getProperty("java.class.path", ""), asGiven)) {
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

    /** A second time, missing or unreadable, it changes nothing. */
    private void addPlace(Path relative) throws IOException {
        Path place = relative.toAbsolutePath().normalize();
        if (!seen.add(place)) {
            return;
        }
        try {
            if (Files.isDirectory(place)) {
                addFolder(place);
            } else {
                addFile(place);
            }
        } catch (FileNotFoundException | FileSystemException e) {
            if (Files.isReadable(place)) {
                throw e;
            }
        }
    }

    private void addFolder(Path folder) throws IOException {
        boolean leftOutByAnotherName =
                seen.contains(real(folder)) && !real(folder).equals(folder);
        if (!leftOutByAnotherName) {
            entries.add(new Entry(FOLDER, FolderDigest.of(folder)));
        }
    }

    private void addFile(Path file) throws IOException {
        String name = file.getFileName().toString();
        Optional<JarContents> jar = JarContents.of(file);
        if (jar.isEmpty()) {
            entries.add(new Entry(name, CodeDigests.of(file, Set.of())));
            return;
        }
        if (!jar.get().holdsReferencesAlone()) {
            entries.add(new Entry(name, jar.get().digest()));
        }
        for (Path other : jar.get().references()) {
            addPlace(other);
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
