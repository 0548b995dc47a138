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
import java.security.CodeSource;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** SHA-256 of what a job's code and side files hold, wherever they lie. */
final class ContentDigests {

    private ContentDigests() {}

    /** Of a file, or of a folder's files with their names in order. */
    static Fingerprint of(Path path, Configuration conf) throws IOException {
        FileSystem fs = path.getFileSystem(conf);
        MessageDigest digest = DigestAlgorithm.SHA_256.newMessageDigest();
        addTree(digest, fs, fs.getFileStatus(path), "");
        return Fingerprint.of(digest.digest());
    }

    private static void addTree(MessageDigest digest, FileSystem fs, FileStatus status, String name)
            throws IOException {
        if (status.isFile()) {
            digest.update((name + "\0" + status.getLen() + "\0").getBytes(StandardCharsets.UTF_8));
            try (InputStream in = fs.open(status.getPath())) {
                addAll(digest, in);
            }
            return;
        }
        FileStatus[] children = fs.listStatus(status.getPath());
        for (FileStatus child : Stream.of(children).sorted().toList()) {
            addTree(digest, fs, child, name + "/" + child.getPath().getName());
        }
    }

    /** Of the jar or folder that a class was loaded from; empty for the JDK's own. */
    static Optional<Fingerprint> ofCode(Class<?> type) throws IOException {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        if (source == null || source.getLocation() == null) {
            return Optional.empty();
        }
        java.nio.file.Path location = location(source);
        MessageDigest digest = DigestAlgorithm.SHA_256.newMessageDigest();
        for (java.nio.file.Path file : files(location)) {
            digest.update(
                    (location.relativize(file) + "\0" + Files.size(file) + "\0").getBytes(StandardCharsets.UTF_8));
            try (InputStream in = Files.newInputStream(file)) {
                addAll(digest, in);
            }
        }
        return Optional.of(Fingerprint.of(digest.digest()));
    }

    private static java.nio.file.Path location(CodeSource source) throws IOException {
        try {
            URI uri = source.getLocation().toURI();
            return new File(uri).toPath();
        } catch (URISyntaxException | IllegalArgumentException e) {
            throw new IOException("can't read the code at " + source.getLocation(), e);
        }
    }

    private static List<java.nio.file.Path> files(java.nio.file.Path location) throws IOException {
        try (Stream<java.nio.file.Path> tree = Files.walk(location)) {
            return tree.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static void addAll(MessageDigest digest, InputStream in) throws IOException {
        byte[] buffer = new byte[1 << 16];
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            digest.update(buffer, 0, read);
        }
    }
}
