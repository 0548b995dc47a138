// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.memo;

import io.shredder.incoop.config.IncoopKeys;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Mark and sweep of a memo store, by the rules of {@code docs/formats/memo.md}, "Collection". What the records of runs
 * name is marked; what is not, and is old enough, goes. Takes no lock:
 *
 * <table>
 * <caption>what may happen at the same time</caption>
 * <tr><td>a job plans</td><td>its record may come after the marking: what goes then had been unused for longer than the
 *     grace; the job misses it and computes it again</td></tr>
 * <tr><td>a job runs</td><td>its record is younger than the grace, so its files stay; past it, as above</td></tr>
 * <tr><td>a job publishes</td><td>its file is younger than the grace, so it stays</td></tr>
 * <tr><td>another collection</td><td>what is gone already is passed over</td></tr>
 * </table>
 */
public final class MemoCollection {

    private static final Logger LOG = LoggerFactory.getLogger(MemoCollection.class);

    private final FileSystem fs;
    private final Path root;
    private final RunRecords records;
    private final int keepRuns;
    private final long keepTimeMs;
    private final long graceMs;
    private final long maxBytes;

    /**
     * What went, or would go.
     *
     * @param files memo files that went
     * @param bytes in them, of one replica
     * @param keptFiles memo files that stay
     * @param keptBytes in them
     * @param maxBytes that the store should hold, 0: any number
     */
    public record Outcome(long files, long bytes, long keptFiles, long keptBytes, long maxBytes) {

        /** One line. */
        public String summary() {
            String text = String.format(
                    Locale.ROOT,
                    "%d memo files of %d bytes collected, %d of %d bytes stay",
                    files,
                    bytes,
                    keptFiles,
                    keptBytes);
            return maxBytes > 0 && keptBytes > maxBytes
                    ? text + ", more than " + IncoopKeys.MEMO_MAX_BYTES + " (" + maxBytes
                            + ") since recent runs use them: shorten " + IncoopKeys.MEMO_GRACE + " or raise it"
                    : text;
        }
    }

    /**
     * @param path in the store
     * @param lastUseMs when a run that is on record last used it; when it was written if none did
     */
    private record MemoFile(Path path, long bytes, long lastUseMs, boolean isMarked, boolean isYoung) {}

    private MemoCollection(Configuration conf, Path root) throws IOException {
        this.fs = root.getFileSystem(conf);
        this.root = fs.makeQualified(root);
        this.records = new RunRecords(conf, root);
        this.keepRuns = IncoopKeys.memoKeepRuns(conf);
        this.keepTimeMs = IncoopKeys.memoKeepTimeMs(conf);
        this.graceMs = IncoopKeys.memoGraceMs(conf);
        this.maxBytes = IncoopKeys.memoMaxBytes(conf);
    }

    /**
     * A collection with the configuration's rules.
     *
     * @throws IllegalArgumentException if one of them is no valid value
     */
    public static MemoCollection of(Configuration conf, Path root) throws IOException {
        return new MemoCollection(conf, root);
    }

    /**
     * Collects.
     *
     * @param dryRun only find out what would go
     */
    public Outcome run(boolean dryRun) throws IOException {
        if (!fs.exists(root)) {
            return new Outcome(0, 0, 0, 0, maxBytes);
        }
        long nowMs = now();
        long youngSinceMs = nowMs - graceMs;
        List<RunRecords.Run> obsolete = new ArrayList<>();
        List<MemoFile> files = files(marks(youngSinceMs, nowMs - keepTimeMs, obsolete), youngSinceMs);
        List<MemoFile> going = going(files);
        if (!dryRun) {
            for (MemoFile file : going) {
                fs.delete(file.path(), false);
            }
            for (RunRecords.Run run : obsolete) {
                fs.delete(run.path(), false);
            }
            removeLeftovers(youngSinceMs);
            removeTemporaries(nowMs - MemoStore.TEMPORARY_LIFE_MS);
        }
        long all = files.stream().mapToLong(MemoFile::bytes).sum();
        long gone = going.stream().mapToLong(MemoFile::bytes).sum();
        return new Outcome(going.size(), gone, files.size() - going.size(), all - gone, maxBytes);
    }

    /** The file system's clock: no client's is asked. */
    private long now() throws IOException {
        Path probe = new Path(root, "clock-" + UUID.randomUUID());
        fs.create(probe).close();
        try {
            return fs.getFileStatus(probe).getModificationTime();
        } finally {
            fs.delete(probe, false);
        }
    }

    /** When the runs that count last used each file, by identity and name; and the records that keep nothing. */
    private Map<String, Long> marks(long youngSinceMs, long aliveSinceMs, List<RunRecords.Run> obsolete)
            throws IOException {
        Map<String, Long> lastUses = new HashMap<>();
        Map<String, Integer> runsOfJob = new HashMap<>();
        Map<String, Long> lastOfJob = new HashMap<>();
        for (RunRecords.Run run : records.all()) {
            int newer = runsOfJob.merge(run.record().job(), 1, Integer::sum) - 1;
            // A name with a date in it never runs again.
            boolean ended = lastOfJob.merge(run.record().job(), run.writtenMs(), Math::max) < aliveSinceMs;
            if ((newer >= keepRuns || ended) && run.writtenMs() < youngSinceMs) {
                obsolete.add(run);
                continue;
            }
            for (String file : run.record().files()) {
                lastUses.merge(run.record().identity() + "/" + file, run.writtenMs(), Math::max);
            }
        }
        return lastUses;
    }

    private List<MemoFile> files(Map<String, Long> lastUses, long youngSinceMs) throws IOException {
        List<MemoFile> files = new ArrayList<>();
        for (FileStatus folder : identities()) {
            for (FileStatus file : list(folder.getPath())) {
                String name = file.getPath().getName();
                if (MemoStore.isMemoFile(name)) {
                    Long marked = lastUses.get(folder.getPath().getName() + "/" + name);
                    long lastUseMs = Math.max(file.getModificationTime(), marked == null ? 0 : marked);
                    files.add(new MemoFile(
                            file.getPath(), file.getLen(), lastUseMs, marked != null, lastUseMs >= youngSinceMs));
                }
            }
        }
        files.sort(Comparator.comparingLong(MemoFile::lastUseMs));
        return files;
    }

    /** Unmarked files first; then, while there are too many bytes, those unused for longest. */
    private List<MemoFile> going(List<MemoFile> files) {
        List<MemoFile> going = new ArrayList<>(files.stream()
                .filter(file -> !file.isMarked() && !file.isYoung())
                .toList());
        long left = files.stream().mapToLong(MemoFile::bytes).sum()
                - going.stream().mapToLong(MemoFile::bytes).sum();
        for (MemoFile file : files) {
            if (maxBytes > 0 && left > maxBytes && file.isMarked() && !file.isYoung()) {
                going.add(file);
                left -= file.bytes();
            }
        }
        return going;
    }

    /** Marks of damaged entries whose file is gone, and folders of identities that hold nothing any more. */
    private void removeLeftovers(long youngSinceMs) throws IOException {
        for (FileStatus folder : identities()) {
            Set<String> memos = new HashSet<>();
            long newestMs = 0;
            FileStatus[] children = list(folder.getPath());
            for (FileStatus child : children) {
                if (MemoStore.isMemoFile(child.getPath().getName())) {
                    memos.add(child.getPath().getName());
                }
                newestMs = Math.max(newestMs, child.getModificationTime());
            }
            for (FileStatus child : children) {
                String name = child.getPath().getName();
                int bad = name.indexOf(MemoStore.BAD);
                if (bad >= 0 && !memos.contains(name.substring(0, bad) + MemoStore.SUFFIX)) {
                    fs.delete(child.getPath(), false);
                }
            }
            if (memos.isEmpty() && newestMs < youngSinceMs) {
                removeEmpty(folder.getPath());
            }
        }
    }

    /** What crashed attempts have left, of jobs that run no more, too. */
    private void removeTemporaries(long tooOldMs) throws IOException {
        for (FileStatus folder : identities()) {
            for (FileStatus left : list(new Path(folder.getPath(), MemoStore.TEMPORARIES))) {
                if (left.getModificationTime() < tooOldMs) {
                    fs.delete(left.getPath(), false);
                }
            }
        }
    }

    /** Not its contents: a job may be writing there, whose unfinished files must stay. */
    private void removeEmpty(Path folder) {
        try {
            fs.delete(new Path(folder, MemoStore.TEMPORARIES), false);
            fs.delete(new Path(folder, MemoStore.IDENTITY_FILE), false);
            fs.delete(new Path(folder, MemoStore.JVM_FILE), false);
            fs.delete(folder, false);
        } catch (IOException e) {
            LOG.debug("{} stays, a job uses it", folder, e);
        }
    }

    private List<FileStatus> identities() throws IOException {
        List<FileStatus> identities = new ArrayList<>();
        for (FileStatus folder : list(root)) {
            if (folder.isDirectory() && MemoStore.isIdentity(folder.getPath().getName())) {
                identities.add(folder);
            }
        }
        return identities;
    }

    private FileStatus[] list(Path folder) throws IOException {
        try {
            return fs.listStatus(folder);
        } catch (FileNotFoundException e) {
            return new FileStatus[0];
        }
    }
}
