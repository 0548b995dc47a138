// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.input;

import io.shredder.chunk.Chunk;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import io.shredder.incoop.config.PlainRunException;
import io.shredder.incoop.format.ChunkRecords;
import io.shredder.incoop.format.InputHeader;
import io.shredder.incoop.format.UnservedFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;

/** A job's input: the files that its own splits name, as chunks if they have usable manifests. */
public final class Input {

    private static final Fingerprint NO_BYTES = Fingerprint.ofData(ByteBuffer.allocate(0));

    private final Map<Named, File> files = new LinkedHashMap<>();

    /** The same file may be the input of several mappers. */
    private record Named(InputTag tag, String name) {}

    /** @param parts by their offsets; empty ones have none */
    private record File(List<OwnSplit> splits, NavigableMap<Long, FileSplit> parts) {}

    /**
     * @param splits the job's own, which decide what is input and where it lies
     * @throws PlainRunException if they name a part of a file twice
     */
    public Input(List<OwnSplit> splits) throws PlainRunException {
        // In which order MultipleInputs gives its inputs is left to chance; it must not change the contraction tree.
        List<OwnSplit> ordered = new ArrayList<>(splits);
        ordered.sort(Comparator.comparing(split -> split.tag().text()));
        for (OwnSplit split : ordered) {
            File file = files.computeIfAbsent(
                    new Named(split.tag(), split.input()), name -> new File(new ArrayList<>(), new TreeMap<>()));
            file.splits().add(split);
            if (split.part().isPresent()) {
                add(split.part().get(), file);
            }
        }
    }

    private static void add(FileSplit part, File file) throws PlainRunException {
        // NLineInputFormat's first part may be empty, and begin where its second does.
        if (part.getLength() > 0 && file.parts().put(part.getStart(), part) != null) {
            throw new PlainRunException("its input names " + part.getPath() + " more than once");
        }
    }

    /**
     * The chunks of all files, in order, but for those that can't be read in chunks.
     *
     * @throws PlainRunException if none can
     */
    public CutInput cut(Configuration conf) throws IOException, ClassNotFoundException, PlainRunException {
        List<InputChunk> chunks = new ArrayList<>();
        List<CutInput.PlainInput> plain = new ArrayList<>();
        for (Map.Entry<Named, File> file : files.entrySet()) {
            try {
                chunks.addAll(chunks(file.getKey(), file.getValue(), conf));
            } catch (PlainRunException e) {
                plain.add(new CutInput.PlainInput(
                        String.valueOf(e.getMessage()), file.getValue().splits()));
            }
        }
        boolean anyBytes = chunks.stream().anyMatch(chunk -> chunk.length() > 0);
        if (!plain.isEmpty() && !anyBytes) {
            throw new PlainRunException(plain.get(0).reason());
        }
        return new CutInput(chunks, files.size(), plain);
    }

    private static List<InputChunk> chunks(Named named, File file, Configuration conf)
            throws IOException, ClassNotFoundException, PlainRunException {
        Optional<FileSplit> first = file.splits().get(0).part();
        if (first.isEmpty()) {
            throw PlainRunException.unknownSplit(file.splits().get(0).split().getClass());
        }
        Path path = first.get().getPath();
        ChunkRecords records = records(named.tag(), conf);
        Optional<String> refusal = records.refusal(path);
        if (refusal.isPresent()) {
            throw new PlainRunException(refusal.get());
        }
        if (file.parts().isEmpty() && isEmpty(path, conf)) {
            // A plain run gives it a mapper without records.
            return List.of(new InputChunk(path.toString(), 0, 0, NO_BYTES, InputHeader.NONE, named.tag()));
        }
        List<Chunk> ofFile =
                BoundManifests.read(path, records.recordFormat(), conf).chunks();
        InputHeader header = header(path, records, conf);
        List<InputChunk> chunks = new ArrayList<>();
        for (Chunk chunk : ofFile) {
            InputHeader inFront = chunk.offset() == 0 ? InputHeader.NONE : header;
            chunks.add(new InputChunk(
                    path.toString(), chunk.offset(), chunk.length(), chunk.fingerprint(), inFront, named.tag()));
        }
        return chunks;
    }

    private static ChunkRecords records(InputTag tag, Configuration conf)
            throws ClassNotFoundException, PlainRunException {
        try {
            return InputFormats.records(tag, conf);
        } catch (UnservedFormatException e) {
            throw new PlainRunException(String.valueOf(e.getMessage()));
        }
    }

    private static boolean isEmpty(Path path, Configuration conf) throws IOException {
        return path.getFileSystem(conf).getFileStatus(path).getLen() == 0;
    }

    private static InputHeader header(Path path, ChunkRecords records, Configuration conf)
            throws IOException, PlainRunException {
        try {
            return records.header(path, conf);
        } catch (DamagedDataException e) {
            throw new PlainRunException(String.valueOf(e.getMessage()));
        }
    }

    /** The hosts that hold a chunk's first byte. */
    public List<String> hosts(InputChunk chunk) throws IOException {
        File file = files.get(new Named(chunk.tag(), chunk.path()));
        Map.Entry<Long, FileSplit> part = file == null ? null : file.parts().floorEntry(chunk.offset());
        return part == null ? List.of() : Arrays.asList(part.getValue().getLocations());
    }
}
