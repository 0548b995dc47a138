// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import io.shredder.chunk.Chunk;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.Fingerprint;
import io.shredder.chunk.Manifest;
import io.shredder.chunk.ManifestCodec;
import io.shredder.chunk.ReferenceChunker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.HdfsBlockLocation;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** Puts files on HDFS with their manifests beside them, as docs/formats/manifest.md says. */
public final class Uploads {

    /** The attribute of a file that says where its manifest is. */
    public static final String MANIFEST_PLACE = "user.shredder.manifest.at";

    /** The attribute of a file that says which manifest and blocks it has. */
    public static final String MANIFEST_BINDING = "user.shredder.manifest";

    static final ChunkingParams PARAMS = ChunkingParams.ofAverage(8192);

    private Uploads() {}

    public static void upload(FileSystem fs, Path file, byte[] data) throws IOException {
        upload(fs, file, data, "text", "\n".getBytes());
    }

    public static void upload(FileSystem fs, Path file, byte[] data, String recordFormat, byte[] recordEnd)
            throws IOException {
        try (FSDataOutputStream out = fs.create(file, true)) {
            out.write(data);
        }
        writeManifest(fs, file, manifest(data, recordFormat, recordEnd).withFileId(fileId(fs, file)));
    }

    /** A file whose chunks end where the caller says. */
    public static void upload(FileSystem fs, Path file, byte[] data, String recordFormat, List<Integer> ends)
            throws IOException {
        try (FSDataOutputStream out = fs.create(file, true)) {
            out.write(data);
        }
        writeManifest(fs, file, manifest(data, recordFormat, ends).withFileId(fileId(fs, file)));
    }

    public static long fileId(FileSystem fs, Path file) throws IOException {
        return ((HdfsFileStatus) fs.getFileStatus(file)).getFileId();
    }

    /** With the attribute that binds it to the file. */
    public static void writeManifest(FileSystem fs, Path file, Manifest manifest) throws IOException {
        try (FSDataOutputStream out = fs.create(sideFile(file), true)) {
            ManifestCodec.write(manifest, out);
        }
        fs.setXAttr(file, MANIFEST_BINDING, binding(fs, file, manifest).getBytes(StandardCharsets.US_ASCII));
    }

    /** Gives a file the attribute by which its manifest is found when it has been renamed, as an upload does. */
    public static void nameManifest(FileSystem fs, Path file) throws IOException {
        fs.setXAttr(
                file, MANIFEST_PLACE, ("v1 inode=" + fileId(fs, sideFile(file))).getBytes(StandardCharsets.US_ASCII));
    }

    /** A file of two blocks that no manifest could tell from its chunks, as an append with a new block leaves it. */
    public static void uploadUneven(FileSystem fs, Path file, byte[] data) throws IOException {
        int first = data.length * 2 / 5;
        try (FSDataOutputStream out = fs.create(file, true)) {
            out.write(data, 0, first);
        }
        try (FSDataOutputStream out = ((DistributedFileSystem) fs)
                .append(file, EnumSet.of(CreateFlag.APPEND, CreateFlag.NEW_BLOCK), 4096, null)) {
            out.write(data, first, data.length - first);
        }
        writeManifest(fs, file, manifest(data, "text", "\n".getBytes()).withFileId(fileId(fs, file)));
    }

    /** The value of {@link #MANIFEST_BINDING}, as section "Binding" writes it. */
    public static String binding(FileSystem fs, Path file, Manifest manifest) throws IOException {
        byte[] bytes = ManifestCodec.encode(manifest);
        BlockLocation[] blocks = fs.getFileBlockLocations(file, 0, Long.MAX_VALUE);
        ByteBuffer ids = ByteBuffer.allocate(24 * blocks.length);
        for (BlockLocation location : blocks) {
            LocatedBlock block = ((HdfsBlockLocation) location).getLocatedBlock();
            ids.putLong(block.getBlock().getBlockId());
            ids.putLong(block.getBlock().getGenerationStamp());
            ids.putLong(block.getBlockSize());
        }
        return "v1 manifest=" + Fingerprint.of(Arrays.copyOfRange(bytes, bytes.length - 32, bytes.length)) + " blocks="
                + Fingerprint.ofData(ids.flip());
    }

    public static Path sideFile(Path file) {
        return new Path(file.getParent(), "." + file.getName() + ".shredder-manifest");
    }

    /** One segment, so the blocks are those of an ordinary file. */
    public static Manifest manifest(byte[] data, String recordFormat, byte[] recordEnd) {
        return manifest(data, recordFormat, alignedCuts(data, recordEnd));
    }

    private static Manifest manifest(byte[] data, String recordFormat, List<Integer> ends) {
        Manifest.Builder builder = Manifest.builder(PARAMS).recordFormat(recordFormat);
        int start = 0;
        for (int cut : ends) {
            Fingerprint fingerprint = Fingerprint.ofData(ByteBuffer.wrap(data, start, cut - start));
            builder.add(new Chunk(start, cut - start, fingerprint, cut == data.length));
            start = cut;
        }
        return builder.build();
    }

    private static List<Integer> alignedCuts(byte[] data, byte[] recordEnd) {
        List<Integer> cuts = new ArrayList<>();
        int last = 0;
        for (Chunk chunk : ReferenceChunker.chunk(PARAMS, data)) {
            int cut = recordEndFrom(data, (int) chunk.end(), recordEnd);
            if (cut > last) {
                cuts.add(cut);
                last = cut;
            }
        }
        return cuts;
    }

    private static int recordEndFrom(byte[] data, int from, byte[] recordEnd) {
        for (int end = from; end < data.length; end++) {
            if (end >= recordEnd.length
                    && java.util.Arrays.equals(data, end - recordEnd.length, end, recordEnd, 0, recordEnd.length)) {
                return end;
            }
        }
        return data.length;
    }
}
