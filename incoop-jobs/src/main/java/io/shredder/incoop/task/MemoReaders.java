// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task;

import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import io.shredder.incoop.memo.MemoCatalog.MemoRef;
import io.shredder.incoop.memo.MemoEntry;
import io.shredder.incoop.memo.MemoKind;
import io.shredder.incoop.memo.MemoReader;
import io.shredder.incoop.memo.MemoStore;
import io.shredder.incoop.memo.OtherJvmException;
import io.shredder.incoop.memo.SegmentRef;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.util.Progressable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The memo files that a task has open: those used last. One thread. */
public final class MemoReaders implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(MemoReaders.class);
    private static final int MOST_OPEN = 8;

    private final MemoStore store;
    private final Map<String, MemoReader> open = new LinkedHashMap<>(MOST_OPEN, 0.75f, true);
    private long bytesRead;
    private boolean jvmLeft;

    public MemoReaders(MemoStore store) {
        this.store = store;
    }

    /** A memo file, good until the next call. */
    private MemoReader reader(String file) throws IOException {
        MemoReader reader = open.get(file);
        if (reader == null) {
            reader = store.openToUse(file);
            open.put(file, reader);
            closeOldest();
        }
        return reader;
    }

    /**
     * An entry of it.
     *
     * @throws IOException if the file can't be read, or another entry lies there
     */
    public MemoEntry entry(MemoKind kind, MemoRef ref, Fingerprint key, int segments) throws IOException {
        MemoReader reader = reader(ref.file());
        boolean exists =
                reader.kind() == kind && ref.ordinal() < reader.entries().size();
        MemoEntry entry = exists ? reader.entries().get(ref.ordinal()) : null;
        if (entry == null || !entry.key().equals(key) || entry.segments().size() != segments) {
            throw notAsPlanned(ref, "is not what the job's plan says");
        }
        return entry;
    }

    /** An entry is of no use, though its file is whole. */
    public static DamagedDataException notAsPlanned(MemoRef ref, String problem) {
        return new DamagedDataException(ref.file(), 0, "entry " + ref.ordinal() + " " + problem);
    }

    /** Lays a segment of an entry into a staging file, checked on the way. */
    public Staging.Staged copy(MemoRef ref, SegmentRef segment, boolean reusable, Staging into)
            throws IOException, InterruptedException {
        Staging.Staged staged = into.copy(reader(ref.file()), segment, reusable);
        bytesRead += staged.length();
        return staged;
    }

    /**
     * The same to a stream.
     *
     * @throws io.shredder.chunk.DamagedDataException if the segment is damaged; {@code out} has taken some of it by
     *     then
     */
    public void copy(MemoRef ref, SegmentRef segment, OutputStream out, Progressable alive) throws IOException {
        reader(ref.file()).copy(segment, new LiveStream(out, alive));
        bytesRead += segment.length();
    }

    /** Bytes of segments that were found whole. */
    public long bytesRead() {
        return bytesRead;
    }

    private void closeOldest() {
        if (open.size() > MOST_OPEN) {
            Iterator<MemoReader> oldest = open.values().iterator();
            close(oldest.next());
            oldest.remove();
        }
    }

    private static void close(MemoReader reader) {
        try {
            reader.close();
        } catch (IOException e) {
            LOG.debug("not closed", e);
        }
    }

    /** Whether it is the store's fault, which another attempt of the task would meet, too. */
    public static boolean isOfStore(IOException failure) {
        return failure instanceof OtherJvmException
                || failure instanceof DamagedDataException
                || failure instanceof ChecksumException
                || failure instanceof BlockMissingException
                || failure instanceof FileNotFoundException;
    }

    /**
     * To be called when an entry could not be had. Later jobs don't try it if it is damaged or gone, and none that a
     * JVM unlike this one has made. This job is served otherwise, so a store that can't be written to is no reason to
     * fail.
     *
     * @throws IOException {@code why} itself, if it isn't the store's fault but the local disk's, the network's or an
     *     interrupt's: then the task fails
     */
    public void giveUp(MemoRef ref, IOException why) throws IOException {
        if (!isOfStore(why)) {
            throw why;
        }
        try {
            if (!(why instanceof OtherJvmException)) {
                store.markBad(ref.file(), ref.ordinal());
            } else if (!jvmLeft) {
                store.leaveJvm();
                jvmLeft = true;
            }
        } catch (IOException e) {
            LOG.warn("incoop: later jobs will try entry {} of {} again: {}", ref.ordinal(), ref.file(), e.getMessage());
        }
    }

    @Override
    public void close() {
        open.values().forEach(MemoReaders::close);
        open.clear();
    }
}
