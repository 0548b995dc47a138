// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.identity;

import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Digests of the jars and folders that classes come from, each read once. One thread. */
final class CodeDigests {

    private final Map<Path, Fingerprint> known = new HashMap<>();

    /** A class by its name and its code, to be compared. */
    String described(Class<?> type) throws IOException {
        return type.getName() + " from " + of(type).map(Fingerprint::toString).orElse("jdk");
    }

    /** Of the jar or folder that a class was loaded from; empty for the JDK's own. */
    private Optional<Fingerprint> of(Class<?> type) throws IOException {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        if (source == null || source.getLocation() == null) {
            return Optional.empty();
        }
        Path location = location(source);
        Fingerprint digest = known.get(location);
        if (digest == null) {
            digest = of(location, Set.of());
            known.put(location, digest);
        }
        return Optional.of(digest);
    }

    /**
     * Of a jar, of another file's bytes, or of a folder's files with their names in order.
     *
     * @param leftOut files directly in the folder that don't count, by name
     */
    static Fingerprint of(Path location, Set<String> leftOut) throws IOException {
        if (Files.isRegularFile(location)) {
            Optional<JarContents> jar = JarContents.of(location);
            if (jar.isPresent()) {
                return jar.get().digest();
            }
        }
        MessageDigest digest = DigestAlgorithm.SHA_256.newMessageDigest();
        for (Path file : files(location)) {
            String name = location.relativize(file).toString();
            if (!leftOut.contains(name)) {
                addFile(digest, name, file);
            }
        }
        return Fingerprint.of(digest.digest());
    }

    /** A file that this user can't read gives its name alone: no code of this process could see more. */
    private static void addFile(MessageDigest digest, String name, Path file) throws IOException {
        if (!Files.isReadable(file)) {
            digest.update((name + "\0unreadable\0").getBytes(StandardCharsets.UTF_8));
            return;
        }
        Optional<JarContents> jar = JarContents.of(file);
        if (jar.isPresent()) {
            digest.update((name + "\0jar " + jar.get().digest() + "\0").getBytes(StandardCharsets.UTF_8));
            return;
        }
        digest.update((name + "\0" + Files.size(file) + "\0").getBytes(StandardCharsets.UTF_8));
        try (InputStream in = Files.newInputStream(file)) {
            ContentDigests.addAll(digest, in);
        }
    }

    private static Path location(CodeSource source) throws IOException {
        try {
            URI uri = source.getLocation().toURI();
            return new File(uri).toPath();
        } catch (URISyntaxException | IllegalArgumentException e) {
            throw new IOException("can't read the code at " + source.getLocation(), e);
        }
    }

    private static List<Path> files(Path location) throws IOException {
        try (Stream<Path> tree = Files.walk(location)) {
            return tree.filter(Files::isRegularFile).sorted().toList();
        }
    }
}
