// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.jobs;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.Path;

/**
 * Bounds of batches of points, a file each, named after the points' content: docs/formats/kmeans-bounds.md. A file is
 * replaced whole; one that is damaged, of another version or of other points is as good as none. Safe for use by many
 * tasks at once: whichever comes last stays, and any is right.
 */
final class BoundsStore {
    private static final long MAGIC = 0x4b4d424f554e4453L; // "KMBOUNDS"
    private static final int VERSION = 1;
    private static final int DIGEST_BYTES = 32;
    private static final int HEAD_BYTES = Long.BYTES + 4 * Integer.BYTES;

    private final Path folder;
    private final Configuration conf;

    BoundsStore(Path folder, Configuration conf) {
        this.folder = folder;
        this.conf = conf;
    }

    /** The name of a batch: SHA-256 of its dimensions and coordinates, in hexadecimal. */
    static String nameOf(int[] points, int coordinates, int dimensions) {
        ByteBuffer bytes =
                ByteBuffer.allocate(Integer.BYTES * (coordinates + 1)).putInt(dimensions);
        bytes.asIntBuffer().put(points, 0, coordinates);
        return HexFormat.of().formatHex(sha256(bytes.array(), bytes.capacity()));
    }

    /**
     * The bounds of a batch; empty if there are none that can be used.
     *
     * @param like of as many centroids and dimensions, and of this format
     */
    Optional<PointBounds> read(String name, int points, Points like) throws IOException {
        Path file = new Path(folder, name);
        FileSystem fs = file.getFileSystem(conf);
        byte[] bytes;
        try (FSDataInputStream in = fs.open(file)) {
            bytes = in.readAllBytes();
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
        return decode(bytes, points, like);
    }

    /** Puts bounds in the place of what is there. */
    void write(String name, PointBounds bounds) throws IOException {
        Path file = new Path(folder, name);
        Path temporary = new Path(new Path(folder, "tmp"), name + "." + UUID.randomUUID());
        FileSystem fs = file.getFileSystem(conf);
        try (FSDataOutputStream out = fs.create(temporary, false)) {
            out.write(encode(bounds));
        }
        FileContext.getFileContext(folder.toUri(), conf)
                .rename(fs.makeQualified(temporary), fs.makeQualified(file), Rename.OVERWRITE);
    }

    static byte[] encode(PointBounds bounds) {
        int[] centroids = bounds.centroids().coordinates();
        int body = HEAD_BYTES + Integer.BYTES * (centroids.length + 3 * bounds.points());
        ByteBuffer out = ByteBuffer.allocate(body + DIGEST_BYTES);
        out.putLong(MAGIC).putInt(VERSION).putInt(bounds.points());
        out.putInt(bounds.centroids().count())
                .putInt(bounds.centroids().format().dimensions());
        out.asIntBuffer().put(centroids).put(bounds.nearest());
        out.position(HEAD_BYTES + Integer.BYTES * (centroids.length + bounds.points()));
        out.asFloatBuffer().put(bounds.upper()).put(bounds.lower());
        out.position(body);
        return out.put(sha256(out.array(), body)).array();
    }

    static Optional<PointBounds> decode(byte[] bytes, int points, Points like) throws IOException {
        int centroids = like.coordinates().length;
        long body = HEAD_BYTES + (long) Integer.BYTES * (centroids + 3L * points);
        if (bytes.length != body + DIGEST_BYTES) {
            return Optional.empty();
        }
        try (DataInputStream head = new DataInputStream(new ByteArrayInputStream(bytes))) {
            boolean ours = head.readLong() == MAGIC
                    && head.readInt() == VERSION
                    && head.readInt() == points
                    && head.readInt() == like.count()
                    && head.readInt() == like.format().dimensions();
            byte[] digest = Arrays.copyOfRange(bytes, (int) body, bytes.length);
            if (!ours || !MessageDigest.isEqual(digest, sha256(bytes, (int) body))) {
                return Optional.empty();
            }
        }
        int[] coordinates = new int[centroids];
        PointBounds bounds = new PointBounds(new Points(like.format(), like.count(), coordinates), points);
        ByteBuffer in = ByteBuffer.wrap(bytes).position(HEAD_BYTES);
        in.asIntBuffer().get(coordinates).get(bounds.nearest());
        in.position(HEAD_BYTES + Integer.BYTES * (centroids + points));
        in.asFloatBuffer().get(bounds.upper()).get(bounds.lower());
        return Optional.of(bounds);
    }

    private static byte[] sha256(byte[] bytes, int length) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(bytes, 0, length);
            return digest.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
