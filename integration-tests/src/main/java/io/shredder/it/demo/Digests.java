// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;

/** SHA-256 of files, here and on HDFS, taken by the JDK alone: an opinion independent of the product's. */
public final class Digests {
    private static final int BUFFER_BYTES = 1 << 20;

    private Digests() {}

    static String ofFile(Path file) throws IOException {
        MessageDigest digest = sha256();
        try (InputStream in = Files.newInputStream(file)) {
            update(digest, in);
        }
        return hex(digest);
    }

    static String ofFile(FileSystem fs, String path) throws IOException {
        MessageDigest digest = sha256();
        try (InputStream in = fs.open(new org.apache.hadoop.fs.Path(path))) {
            update(digest, in);
        }
        return hex(digest);
    }

    /**
     * One digest over the names, lengths and bytes of what a job left in its folder and the folders in it, in the order
     * of their names; not of hidden files and markers such as {@code _SUCCESS}.
     */
    public static String ofParts(FileSystem fs, String folder) throws IOException {
        MessageDigest digest = sha256();
        List<FileStatus> parts = new ArrayList<>();
        addFiles(fs, new org.apache.hadoop.fs.Path(folder), parts);
        if (parts.isEmpty()) {
            throw new IOException("no part files in " + folder);
        }
        String root = fs.makeQualified(new org.apache.hadoop.fs.Path(folder)).toString();
        for (FileStatus part : parts) {
            String head = part.getPath().toString().substring(root.length() + 1) + " " + part.getLen() + "\n";
            digest.update(head.getBytes(StandardCharsets.UTF_8));
            try (InputStream in = fs.open(part.getPath())) {
                update(digest, in);
            }
        }
        return hex(digest);
    }

    private static void addFiles(FileSystem fs, org.apache.hadoop.fs.Path folder, List<FileStatus> files)
            throws IOException {
        FileStatus[] entries = fs.listStatus(folder);
        Arrays.sort(entries);
        for (FileStatus entry : entries) {
            char first = entry.getPath().getName().charAt(0);
            if (entry.isDirectory()) {
                addFiles(fs, entry.getPath(), files);
            } else if (first != '_' && first != '.') {
                files.add(entry);
            }
        }
    }

    private static void update(MessageDigest digest, InputStream in) throws IOException {
        try (var sink = new DigestOutputStream(OutputStream.nullOutputStream(), digest)) {
            byte[] buffer = new byte[BUFFER_BYTES];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                sink.write(buffer, 0, read);
            }
        }
    }

    private static String hex(MessageDigest digest) {
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
