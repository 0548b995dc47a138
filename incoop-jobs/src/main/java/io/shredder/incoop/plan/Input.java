// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.plan;

import io.shredder.chunk.Chunk;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import io.shredder.incoop.format.ChunkRecords;
import io.shredder.incoop.format.FileHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;

/** A job's input: the files that its own splits name, as chunks. */
final class Input {

    private static final Fingerprint NO_BYTES = Fingerprint.ofData(ByteBuffer.allocate(0));

    private final Map<Path, NavigableMap<Long, FileSplit>> files = new LinkedHashMap<>();

    /**
     * @param splits the job's own, which decide what is input and where it lies
     * @throws PlainRunException if they are not plain parts of files
     */
    Input(List<InputSplit> splits) throws PlainRunException {
        for (InputSplit split : splits) {
            if (split.getClass() != FileSplit.class) {
                throw PlainRunException.unknownSplit(split.getClass());
            }
            FileSplit part = (FileSplit) split;
            NavigableMap<Long, FileSplit> parts = files.computeIfAbsent(part.getPath(), path -> new TreeMap<>());
            // NLineInputFormat's first part may be empty, and begin where its second does.
            if (part.getLength() > 0 && parts.put(part.getStart(), part) != null) {
                throw new PlainRunException("its input names " + part.getPath() + " more than once");
            }
        }
    }

    /** The chunks of all files, in order. */
    List<InputChunk> chunks(ChunkRecords records, Configuration conf) throws IOException, PlainRunException {
        List<InputChunk> chunks = new ArrayList<>();
        for (Map.Entry<Path, NavigableMap<Long, FileSplit>> file : files.entrySet()) {
            Path path = file.getKey();
            Optional<String> refusal = records.refusal(path);
            if (refusal.isPresent()) {
                throw new PlainRunException(refusal.get());
            }
            if (file.getValue().isEmpty() && isEmpty(path, conf)) {
                // A plain run gives it a mapper without records.
                chunks.add(new InputChunk(path.toString(), 0, 0, NO_BYTES));
                continue;
            }
            List<Chunk> ofFile =
                    BoundManifests.read(path, records.recordFormat(), conf).chunks();
            FileHeader header = header(path, records, conf);
            for (Chunk chunk : ofFile) {
                FileHeader inFront = chunk.offset() == 0 ? FileHeader.NONE : header;
                chunks.add(
                        new InputChunk(path.toString(), chunk.offset(), chunk.length(), chunk.fingerprint(), inFront));
            }
        }
        return chunks;
    }

    private static boolean isEmpty(Path path, Configuration conf) throws IOException {
        return path.getFileSystem(conf).getFileStatus(path).getLen() == 0;
    }

    private static FileHeader header(Path path, ChunkRecords records, Configuration conf)
            throws IOException, PlainRunException {
        try {
            return records.header(path, conf);
        } catch (DamagedDataException e) {
            throw new PlainRunException(String.valueOf(e.getMessage()));
        }
    }

    /** The hosts that hold a chunk's first byte. */
    List<String> hosts(InputChunk chunk) throws IOException {
        NavigableMap<Long, FileSplit> parts =
                files.getOrDefault(new Path(chunk.path()), Collections.emptyNavigableMap());
        Map.Entry<Long, FileSplit> part = parts.floorEntry(chunk.offset());
        return part == null ? List.of() : Arrays.asList(part.getValue().getLocations());
    }
}
