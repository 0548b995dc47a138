// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.identity;

import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** SHA-256 of what a job's files hold, wherever they lie. */
final class ContentDigests {

    private ContentDigests() {}

    /** Of a file, or of a folder's files with their names in order. */
    static Fingerprint of(Path path, Configuration conf) throws IOException {
        FileSystem fs = path.getFileSystem(conf);
        MessageDigest digest = DigestAlgorithm.SHA_256.newMessageDigest();
        addTree(digest, fs, fs.getFileStatus(path), "");
        return Fingerprint.of(digest.digest());
    }

    /** Of a jar's entries in their order, without their times. */
    static Fingerprint ofEntries(Path jar, Configuration conf) throws IOException {
        MessageDigest all = DigestAlgorithm.SHA_256.newMessageDigest();
        try (ZipInputStream in = new ZipInputStream(jar.getFileSystem(conf).open(jar))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                MessageDigest content = DigestAlgorithm.SHA_256.newMessageDigest();
                addAll(content, in);
                all.update((entry.getName() + "\0").getBytes(StandardCharsets.UTF_8));
                all.update(content.digest());
            }
        }
        return Fingerprint.of(all.digest());
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

    static void addAll(MessageDigest digest, InputStream in) throws IOException {
        byte[] buffer = new byte[1 << 16];
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            digest.update(buffer, 0, read);
        }
    }
}
