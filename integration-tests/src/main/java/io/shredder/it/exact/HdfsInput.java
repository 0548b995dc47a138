// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.exact;

import io.shredder.chunk.Chunk;
import io.shredder.chunk.Manifest;
import io.shredder.hdfs.CopyFromLocalGpu;
import io.shredder.hdfs.manifest.HdfsManifests;
import io.shredder.it.exact.cases.InputKind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/** A case's input on HDFS, and its next versions, uploaded by the product's own command in small chunks. One thread. */
final class HdfsInput {
    private static final String CHUNK_BYTES = "16384";

    private final FileSystem fs;
    private final InputKind kind;
    private final InputLayout layout;
    private final Path scratch;
    private final Map<String, List<String>> files = new LinkedHashMap<>();
    private String folder;
    private int moves;

    /**
     * An input that is not there yet.
     *
     * @param folder on HDFS
     * @param scratch a local folder for what is uploaded
     */
    HdfsInput(FileSystem fs, InputKind kind, InputLayout layout, String folder, Path scratch) {
        this.fs = fs;
        this.kind = kind;
        this.layout = layout;
        this.folder = folder;
        this.scratch = scratch;
    }

    /** Uploads the first version. */
    void uploadFirst(Random random) throws IOException {
        for (String file : layout.files()) {
            List<String> records = new ArrayList<>();
            for (int left = layout.records(file, kind.records()); left > 0; left--) {
                records.add(kind.record(random));
            }
            put(file, records);
        }
    }

    /** Makes the next version, of the first file or the whole folder. */
    void edit(InputEdit edit, Random random) throws IOException {
        if (edit == InputEdit.MOVE_FOLDER) {
            moves++;
            String goal = folder + "-" + moves;
            requireDone(fs.rename(new org.apache.hadoop.fs.Path(folder), new org.apache.hadoop.fs.Path(goal)), goal);
            folder = goal;
            return;
        }
        String file = layout.files().get(0);
        List<String> records = files.getOrDefault(file, List.of());
        put(file, edit.apply(records, chunkEnds(file, records), kind, random));
    }

    /** How many records end with each chunk but the last; none if a record's length is not known. */
    private List<Integer> chunkEnds(String file, List<String> records) throws IOException {
        var ends = new ArrayList<Integer>();
        Optional<Manifest> manifest = HdfsManifests.find(fs, new org.apache.hadoop.fs.Path(folder, file))
                .manifest();
        if (!kind.isLines() || manifest.isEmpty()) {
            return ends;
        }
        List<Chunk> chunks = manifest.get().chunks();
        long bytes = 0;
        for (int record = 0; record < records.size() && ends.size() < chunks.size() - 1; record++) {
            bytes += records.get(record).length() + 1L;
            if (bytes == chunks.get(ends.size()).end()) {
                ends.add(record + 1);
            }
        }
        return ends;
    }

    /** The input paths, parted by commas. */
    String paths() {
        return layout.paths(folder);
    }

    private void put(String file, List<String> records) throws IOException {
        files.put(file, records);
        Path local = Files.createDirectories(scratch).resolve(file.replace('/', '-'));
        if (records.isEmpty()) {
            Files.write(local, new byte[0]);
        } else {
            kind.write(records, local);
        }
        var target = new org.apache.hadoop.fs.Path(folder, file);
        fs.mkdirs(target.getParent());
        if (layout.hasManifest(file)) {
            upload(local, target);
        } else {
            fs.copyFromLocalFile(false, true, new org.apache.hadoop.fs.Path(local.toUri()), target);
        }
    }

    private void upload(Path local, org.apache.hadoop.fs.Path target) throws IOException {
        var command = new CopyFromLocalGpu();
        command.setConf(new Configuration(fs.getConf()));
        var said = new ByteArrayOutputStream();
        command.out = new PrintStream(said, true, StandardCharsets.UTF_8);
        command.err = command.out;
        int code = command.run(
                "-f", "-inputFormat", kind.inputFormat(), "-avg", CHUNK_BYTES, local.toString(), target.toString());
        if (code != 0) {
            throw new IOException("the upload to " + target + " failed: " + said.toString(StandardCharsets.UTF_8));
        }
    }

    private static void requireDone(boolean done, String goal) throws IOException {
        if (!done) {
            throw new IOException("can't move an input to " + goal);
        }
    }
}
