// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.container;

import io.shredder.backup.agent.file.DurableFiles;
import io.shredder.backup.agent.file.Span;
import io.shredder.backup.agent.file.SparseFile;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Releases ranges of containers by holes in their files. What is not a whole block of a range is overwritten with
 * zeros, so that a released range is zeros from its first byte to its last, which is how a scan knows it. A range that
 * was noted is dead for good, since containers are only appended to: releasing it again does no harm, and is how a
 * crash is made good.
 */
public final class ContainerHoles implements ReleasableSpace {

    private static final Logger LOG = LoggerFactory.getLogger(ContainerHoles.class);
    private static final String TRIAL = "holes.tmp";
    private static final int ZEROS_BYTES = 1 << 16;

    private final ContainerFolder folder;
    private final boolean supported;
    private final Map<Integer, Long> settled = new ConcurrentHashMap<>();
    /** Noted, and not forced since. */
    private final Set<Integer> noted = ConcurrentHashMap.newKeySet();
    /** Noted, and not yet released. */
    private final Map<Integer, List<Span>> unfinished = new ConcurrentHashMap<>();

    /** What the index has, all of it. */
    public interface Indexed {
        /** Visits every chunk. */
        void forEach(BiConsumer<Fingerprint, ChunkLocation> visitor) throws IOException;
    }

    private ContainerHoles(ContainerFolder folder, boolean supported) {
        this.folder = folder;
        this.supported = supported;
    }

    /** Finds out whether holes can be made. Nothing is released yet: {@link #resume}. */
    public static ContainerHoles open(ContainerFolder folder) throws IOException {
        Optional<Path> trial = folder.storage().local(TRIAL);
        boolean supported = !folder.storage().isReadOnly() && trial.isPresent() && work(trial.get());
        if (!supported) {
            LOG.info("no holes can be made in {}: collections copy what lives and delete the rest", folder.storage());
        }
        return new ContainerHoles(folder, supported);
    }

    /** On a full disk there is no room for a trial; what can't be released after all is overwritten with zeros. */
    private static boolean work(Path trial) throws IOException {
        try {
            return SparseFile.works(trial);
        } catch (IOException e) {
            if (DurableFiles.isFull(e)) {
                return true;
            }
            throw e;
        }
    }

    /**
     * Ends what a crash interrupted, but for ranges that hold a chunk of the index: those had not been taken from it.
     */
    public void resume(Indexed index) throws IOException {
        Map<Integer, List<Span>> open = readNote();
        if (!open.isEmpty()) {
            index.forEach((fingerprint, at) -> open.computeIfPresent(at.container(), (number, spans) -> {
                spans.removeIf(span -> span.contains(at.offset()));
                return spans;
            }));
        }
        resume(open);
    }

    /**
     * Ends what a crash interrupted when there is no index to ask: since then nobody can have come to need what was
     * noted.
     */
    public void resume() throws IOException {
        resume(readNote());
    }

    private void resume(Map<Integer, List<Span>> open) throws IOException {
        note(open);
        finish();
        deleteNote();
    }

    private Map<Integer, List<Span>> readNote() throws IOException {
        Optional<ByteBuffer> bytes = folder.storage().read(ReleaseNote.FILE);
        try {
            return bytes.isEmpty()
                    ? Map.of()
                    : new TreeMap<>(
                            ReleaseNote.read(bytes.get(), folder.repository()).ranges());
        } catch (DamagedDataException e) {
            LOG.error(
                    "{}: of the space that was being given back some may stay taken, and a rebuild of the index may name"
                            + " damage in chunks that nothing needs",
                    e.getMessage());
            return Map.of();
        }
    }

    private void deleteNote() throws IOException {
        if (folder.storage().read(ReleaseNote.FILE).isPresent()) {
            folder.storage().delete(ReleaseNote.FILE);
        }
    }

    private void note(Map<Integer, List<Span>> ranges) {
        unfinished.putAll(ranges);
        noted.addAll(ranges.keySet());
    }

    /** Releases what an error left, and makes all that was released durable. */
    private void finish() throws IOException {
        for (Map.Entry<Integer, List<Span>> entry : Map.copyOf(unfinished).entrySet()) {
            release(entry.getKey(), entry.getValue());
        }
        for (int container : noted) {
            if (Files.exists(path(container))) {
                folder.force(container);
            }
        }
        noted.clear();
    }

    @Override
    public boolean isSupported() {
        return supported;
    }

    @Override
    public List<Span> occupied(int container, long length) throws IOException {
        try (SparseFile file = SparseFile.open(path(container))) {
            return file.data(length);
        }
    }

    @Override
    public void prepare(Map<Integer, List<Span>> ranges) throws IOException {
        finish();
        folder.storage().replace(ReleaseNote.FILE, new ReleaseNote(ranges).encode(folder.repository()));
        note(ranges);
    }

    @Override
    public void release(int container, List<Span> ranges) throws IOException {
        Path path = path(container);
        // A collection that came after may have deleted it.
        if (Files.exists(path)) {
            zeroEdges(path, ranges);
            punch(path, ranges);
        }
        unfinished.remove(container);
    }

    private static void zeroEdges(Path path, List<Span> ranges) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            for (Span range : ranges) {
                Span blocks = range.wholeBlocks(SparseFile.BLOCK_BYTES);
                zero(channel, new Span(range.from(), blocks.from()));
                zero(channel, new Span(blocks.to(), range.to()));
            }
        }
    }

    private void punch(Path path, List<Span> ranges) throws IOException {
        List<Span> blocks = ranges.stream()
                .map(range -> range.wholeBlocks(SparseFile.BLOCK_BYTES))
                .filter(span -> span.bytes() > 0)
                .toList();
        if (!supported) {
            zero(path, blocks);
            return;
        }
        try (SparseFile file = SparseFile.open(path)) {
            for (Span span : blocks) {
                if (!file.release(span)) {
                    zero(path, List.of(span));
                }
            }
        }
    }

    private static void zero(Path path, List<Span> spans) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            for (Span span : spans) {
                zero(channel, span);
            }
        }
    }

    private static void zero(FileChannel channel, Span span) throws IOException {
        for (long at = span.from(); at < span.to(); ) {
            int length = (int) Math.min(ZEROS_BYTES, span.to() - at);
            DurableFiles.writeFully(channel, ByteBuffer.allocate(length), at);
            at += length;
        }
    }

    private Path path(int container) {
        String name = folder.name(container);
        return folder.storage().local(name).orElseThrow(() -> new IllegalStateException(name + " is not a local file"));
    }

    /**
     * Makes durable what was released. Nothing is noted from now on, unless an error left something to do, which the
     * next opening does.
     */
    public void end() throws IOException {
        if (unfinished.isEmpty()) {
            finish();
            deleteNote();
        }
    }

    @Override
    public boolean isSettled(int container, long garbageBytes) {
        Long left = settled.get(container);
        return left != null && left == garbageBytes;
    }

    @Override
    public void settle(int container, long garbageBytes) {
        settled.put(container, garbageBytes);
    }
}
