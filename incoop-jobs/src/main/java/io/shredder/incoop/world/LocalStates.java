// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.world;

import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** How files and folders of this machine stand. */
final class LocalStates {

    private static final String ATTRIBUTES = "unix:mode,uid,gid,size,lastModifiedTime";

    private LocalStates() {}

    /**
     * Of a file or folder, with all that the code that reads it can ask for: content, attributes, and where links lead.
     *
     * @throws IOException if it can't be looked at, or changes meanwhile
     */
    static String whole(Path path) throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return nothing(path);
        }
        try {
            if (!Files.exists(path)) {
                return "link to nothing, " + attributes(path, LinkOption.NOFOLLOW_LINKS) + leadsTo(path);
            }
            String what = Files.isDirectory(path) ? "folder " + listing(path) : "file " + content(path);
            return what + " " + attributes(path) + leadsTo(path) + " "
                    + DependencyStates.digest(path.toRealPath().toString());
        } catch (NoSuchFileException e) {
            throw new IOException(path + " changed while it was looked at", e);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Of what there is at a place. */
    static String presence(Path path) {
        if (Files.isDirectory(path)) {
            return "folder";
        }
        return Files.isRegularFile(path) ? "file" : Files.exists(path) ? "other" : DependencyStates.NOTHING_THERE;
    }

    /** The name that it would really have may be asked for, too; it follows from links in front of it. */
    private static String nothing(Path path) throws IOException {
        Path above = path.toAbsolutePath().getParent();
        while (above != null && !Files.exists(above)) {
            above = above.getParent();
        }
        return above == null || above.toRealPath().equals(above)
                ? DependencyStates.NOTHING_THERE
                : DependencyStates.NOTHING_THERE + " in "
                        + DependencyStates.digest(above.toRealPath().toString());
    }

    private static String attributes(Path path, LinkOption... options) throws IOException {
        Map<String, Object> all = Files.readAttributes(path, ATTRIBUTES, options);
        FileTime time = (FileTime) Objects.requireNonNull(all.get("lastModifiedTime"));
        String text = all.get("mode") + " " + all.get("uid") + " " + all.get("gid");
        // Of a folder the file system makes it up.
        String size = Files.isDirectory(path, options) ? "" : " " + all.get("size");
        return text + size + " " + time.toMillis();
    }

    private static String leadsTo(Path path) throws IOException {
        return Files.isSymbolicLink(path)
                ? " -> " + DependencyStates.digest(Files.readSymbolicLink(path).toString())
                : "";
    }

    private static String listing(Path folder) throws IOException {
        StringBuilder listing = new StringBuilder();
        try (Stream<Path> children = Files.list(folder)) {
            for (Path child : children.sorted().toList()) {
                listing.append(child.getFileName())
                        .append(' ')
                        .append(attributes(child, LinkOption.NOFOLLOW_LINKS))
                        .append(leadsTo(child));
                if (Files.isSymbolicLink(child) && Files.exists(child)) {
                    listing.append(' ').append(attributes(child));
                }
                listing.append('\n');
            }
        }
        return DependencyStates.digest(listing.toString());
    }

    private static String content(Path file) throws IOException {
        MessageDigest digest = DigestAlgorithm.SHA_256.newMessageDigest();
        try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
        return Fingerprint.of(digest.digest()).toString();
    }
}
