// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.memo;

import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.fs.FileStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the indexes of an identity's memo files, a few ahead, and lays them into a catalog. Files of JVMs unlike that
 * of the newest one are passed over: tasks would not use them.
 */
final class MemoIndexes {

    private static final Logger LOG = LoggerFactory.getLogger(MemoIndexes.class);

    /** Each waits for the NameNode and a DataNode. */
    private static final int OPEN_AT_ONCE = 8;

    private final MemoStore store;
    private final List<FileStatus> files = new ArrayList<>();
    private final Set<String> bad = new HashSet<>();
    private final List<String> problems = new ArrayList<>();
    private int ofOtherJvms;

    private record Index(
            String file, Optional<Fingerprint> jvm, MemoKind kind, List<MemoEntry> entries, String problem) {}

    /** @param children all that lies in the identity's folder */
    MemoIndexes(MemoStore store, FileStatus[] children) {
        this.store = store;
        for (FileStatus child : children) {
            String name = child.getPath().getName();
            if (name.contains(MemoStore.BAD)) {
                bad.add(name);
            } else if (MemoStore.isMemoFile(name)) {
                files.add(child);
            }
        }
        files.sort(Comparator.comparing(file -> file.getPath().getName()));
    }

    /**
     * Lays all usable entries into a catalog, in the order of the files' names; damaged files count as missing, with
     * one warning.
     *
     * @param met what the JVM of a task was like that has met files of others, and when it was
     */
    void addTo(MemoCatalog catalog, Optional<MemoStore.MetJvm> met) throws IOException {
        Optional<Fingerprint> jvm = newestJvm(met);
        ExecutorService threads = Executors.newFixedThreadPool(Math.max(1, Math.min(OPEN_AT_ONCE, files.size())));
        try {
            Queue<Future<Index>> ahead = new ArrayDeque<>();
            int next = 0;
            while (next < files.size() || !ahead.isEmpty()) {
                while (next < files.size() && ahead.size() < OPEN_AT_ONCE) {
                    String file = files.get(next++).getPath().getName();
                    ahead.add(threads.submit(() -> read(file)));
                }
                add(ahead.remove().get(), jvm, catalog);
            }
        } catch (ExecutionException e) {
            throw new IOException("can't read the memo store: " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while reading the memo store");
        } finally {
            threads.shutdownNow();
        }
        tell();
    }

    /** Nothing if there is no file that can be read. */
    private Optional<Fingerprint> newestJvm(Optional<MemoStore.MetJvm> met) {
        List<FileStatus> newestFirst = new ArrayList<>(files);
        newestFirst.sort(
                Comparator.comparingLong(FileStatus::getModificationTime).reversed());
        for (FileStatus file : newestFirst) {
            if (met.isPresent() && met.get().sinceMs() >= file.getModificationTime()) {
                return Optional.of(met.get().jvm());
            }
            Index index = read(file.getPath().getName());
            if (index.jvm().isPresent()) {
                return index.jvm();
            }
        }
        return Optional.empty();
    }

    private Index read(String file) {
        try (MemoReader reader = store.open(file)) {
            return new Index(file, Optional.of(reader.jvm()), reader.kind(), reader.entries(), "");
        } catch (IOException e) {
            return new Index(file, Optional.empty(), MemoKind.LEAVES, List.of(), String.valueOf(e.getMessage()));
        }
    }

    private void add(Index index, Optional<Fingerprint> jvm, MemoCatalog catalog) {
        if (index.jvm().isEmpty()) {
            problems.add(index.problem());
        } else if (!index.jvm().equals(jvm)) {
            ofOtherJvms++;
        } else {
            for (int i = 0; i < index.entries().size(); i++) {
                if (!bad.contains(MemoStore.badName(index.file(), i))) {
                    catalog.add(index.kind(), index.file(), i, index.entries().get(i));
                }
            }
        }
    }

    private void tell() {
        if (!problems.isEmpty()) {
            LOG.warn(
                    "incoop: {} memo files not used, what they hold is computed again: {}",
                    problems.size(),
                    problems.get(0));
        }
        if (ofOtherJvms > 0) {
            LOG.info(
                    "incoop: {} memo files not used, since JVMs of tasks have another class path, time zone, locale,"
                            + " character set or version by now",
                    ofOtherJvms);
        }
    }
}
