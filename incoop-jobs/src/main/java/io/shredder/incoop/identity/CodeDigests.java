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
import java.util.stream.Stream;

/** SHA-256 of the jars and folders that classes come from, each read once. One thread. */
final class CodeDigests {

    private final Map<Path, Fingerprint> known = new HashMap<>();

    /** Of the jar or folder that a class was loaded from; empty for the JDK's own. */
    Optional<Fingerprint> of(Class<?> type) throws IOException {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        if (source == null || source.getLocation() == null) {
            return Optional.empty();
        }
        Path location = location(source);
        Fingerprint digest = known.get(location);
        if (digest == null) {
            digest = digest(location);
            known.put(location, digest);
        }
        return Optional.of(digest);
    }

    private static Fingerprint digest(Path location) throws IOException {
        MessageDigest digest = DigestAlgorithm.SHA_256.newMessageDigest();
        for (Path file : files(location)) {
            digest.update(
                    (location.relativize(file) + "\0" + Files.size(file) + "\0").getBytes(StandardCharsets.UTF_8));
            try (InputStream in = Files.newInputStream(file)) {
                ContentDigests.addAll(digest, in);
            }
        }
        return Fingerprint.of(digest.digest());
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
