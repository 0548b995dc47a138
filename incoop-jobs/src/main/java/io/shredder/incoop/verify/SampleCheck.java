// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.verify;

import io.shredder.chunk.Fingerprint;
import io.shredder.incoop.config.IncoopKeys;
import io.shredder.incoop.config.MapOnly;
import io.shredder.incoop.input.InputChunk;
import io.shredder.incoop.memo.MemoCatalog;
import io.shredder.incoop.memo.MemoEntry;
import io.shredder.incoop.memo.MemoKind;
import io.shredder.incoop.memo.MemoReader;
import io.shredder.incoop.memo.MemoStore;
import io.shredder.incoop.memo.SegmentRef;
import io.shredder.incoop.plan.Recheck;
import io.shredder.incoop.plan.ReusePlan;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.JobID;
import org.jspecify.annotations.Nullable;

/**
 * Has the job map some chunks again that it could have reused ({@link Recheck}), and compares what it has kept of them
 * with what the store held before, segment by segment.
 */
final class SampleCheck implements JobCheck {

    private final JobConf job;
    private final VerifyMode mode;
    private final Map<Fingerprint, Pair> pairs = new LinkedHashMap<>();
    private @Nullable MemoStore store;
    private long reused;
    private int equal;
    private int reordered;
    private int outdated;

    /** The same chunk's output, kept before, the newest first, and made by this job. */
    private record Pair(InputChunk chunk, List<MemoCatalog.Known> before, MemoCatalog.MemoRef now) {}

    SampleCheck(JobConf job, VerifyMode mode) {
        this.job = job;
        this.mode = mode;
        Recheck.ask(job, mode.fraction(), mode.seed());
    }

    /** Whether a submitted job has turned out to run plainly. */
    static boolean isPlain(Configuration job) {
        return job.get(IncoopKeys.PLAN_FILE) == null;
    }

    @Override
    public void submitting(JobID id) throws IOException {
        if (isPlain(job) || MapOnly.is(job)) {
            return;
        }
        Path file = new Path(job.get(IncoopKeys.PLAN_FILE));
        ReusePlan plan;
        try (FSDataInputStream in = file.getFileSystem(job).open(file)) {
            plan = ReusePlan.decode(IOUtils.readFullyToByteArray(in), file.toString());
        }
        store = new MemoStore(job, new Path(plan.memoRoot()), plan.identity());
        MemoCatalog before = store.catalog(dependencies -> true);
        reused = plan.sources().stream().filter(ReusePlan.Source::mayBeReused).count();
        for (ReusePlan.Source source : plan.sources()) {
            Fingerprint chunk = source.chunk().fingerprint();
            List<MemoCatalog.Known> old = source.mayBeReused() ? List.of() : before.all(MemoKind.LEAVES, chunk);
            if (!old.isEmpty()) {
                pairs.putIfAbsent(
                        chunk,
                        new Pair(source.chunk(), old, new MemoCatalog.MemoRef(source.memoFile(), source.ordinal())));
            }
        }
    }

    @Override
    public Finding compare(JobID id) throws IOException {
        if (!isPlain(job) && MapOnly.is(job)) {
            return new Finding(
                    Finding.Verdict.UNKNOWN,
                    id + " has no reducers, and of splits no sample is mapped again: verify it with --full");
        }
        if (store == null) {
            return new Finding(Finding.Verdict.PLAIN, id + " ran plainly: nothing was reused");
        }
        for (Pair pair : pairs.values()) {
            Optional<String> difference = difference(store, pair);
            if (difference.isPresent()) {
                return new Finding(
                        Finding.Verdict.DIFFERENT,
                        id + ": mapped again, the chunk of " + pair.chunk().path() + " at "
                                + pair.chunk().offset() + " (" + pair.chunk().length()
                                + " bytes) gives another output: "
                                + difference.get());
            }
        }
        return new Finding(
                Finding.Verdict.EQUAL,
                id + ": of " + (reused + pairs.size()) + " chunks with kept output " + pairs.size()
                        + " mapped again (seed " + mode.seed() + "), " + equal + " the same byte for byte"
                        + (reordered > 0 ? ", " + reordered + " but for the order of values of equal keys" : "")
                        + (outdated > 0 ? ", " + outdated + " made of what has changed since" : ""));
    }

    /** Only what this run would have used is compared: made of the same as the new output. */
    private Optional<String> difference(MemoStore kept, Pair pair) throws IOException {
        try (MemoReader now = kept.open(pair.now().file())) {
            MemoEntry fresh = now.entries().get(pair.now().ordinal());
            Optional<MemoCatalog.MemoRef> old = pair.before().stream()
                    .filter(known -> known.leafId().equals(fresh.leafId()))
                    .map(MemoCatalog.Known::ref)
                    .findFirst();
            if (old.isEmpty()) {
                outdated++;
                return Optional.empty();
            }
            return difference(kept, old.get(), now, fresh);
        }
    }

    private Optional<String> difference(MemoStore kept, MemoCatalog.MemoRef ref, MemoReader now, MemoEntry fresh)
            throws IOException {
        try (MemoReader before = kept.open(ref.file())) {
            MemoEntry old = before.entries().get(ref.ordinal());
            boolean sameBytes = true;
            for (int p = 0; p < old.segments().size(); p++) {
                SegmentRef oldSegment = old.segments().get(p);
                SegmentRef newSegment = fresh.segments().get(p);
                // Reading checks the kept bytes against their digest.
                byte[] bytes = before.read(oldSegment);
                if (!oldSegment.digest().equals(newSegment.digest())) {
                    sameBytes = false;
                    SegmentContent was = SegmentContent.of(bytes, job);
                    SegmentContent is = SegmentContent.of(now.read(newSegment), job);
                    if (!was.equals(is)) {
                        return Optional.of(
                                "partition " + p + " held " + was + ", now " + is + "; kept in " + ref.file());
                    }
                }
            }
            equal += sameBytes ? 1 : 0;
            reordered += sameBytes ? 0 : 1;
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        // Nothing was made but memos, which are as good as any.
    }
}
