// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bars;

import io.shredder.it.corpus.Folders;
import io.shredder.it.figures.Bar;
import io.shredder.it.figures.Machine;
import io.shredder.it.process.BackupJvm;
import io.shredder.it.trust.Crowd;
import io.shredder.it.trust.ListCosts;
import io.shredder.it.trust.QuotaRace;
import io.shredder.it.trust.SilentJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether the backup keeps its word: hostile clients, files that were deleted or exchanged, silent peers, crowds and
 * races. Another bar is one more line of {@link #BARS}.
 */
final class TrustBars implements BarSet {
    private static final Map<String, Attempt> BARS = new LinkedHashMap<>();

    static {
        BARS.put("hostile", TrustBars::hostile);
        BARS.put("files", TrustBars::files);
        BARS.put("silent", TrustBars::silent);
        BARS.put("crowd", TrustBars::crowd);
        BARS.put("quota", TrustBars::quota);
        BARS.put("unchanged", TrustBars::unchanged);
        BARS.put("sparse", TrustBars::sparse);
        BARS.put("marking", TrustBars::marking);
    }

    private static final String MEASURE = "io.shredder.it.Measure";
    private static final String TRIAL_HEAP = "2g";
    private static final int HOSTILE_AT_ONCE = 10;
    private static final int SILENT_AT_ONCE = 24;
    private static final int MARKINGS = 15;
    private static final int UNTIMED_MARKINGS = 30;
    /** Requests' and answers' share by {@code AgentLimits}, half of the heap of 368 MiB, and an agent's other needs. */
    private static final double MOST_HEAP_MB = 193 + 27;

    private static final double MOST_RESIDENT_MB = 500;

    /** One bar; what can't be tried though it should be fails it. */
    @FunctionalInterface
    private interface Attempt {
        void measure(Measuring measuring, Path folder) throws IOException, InterruptedException;
    }

    /** As {@code --only} takes them. */
    static List<String> names() {
        return List.copyOf(BARS.keySet());
    }

    @Override
    public void measure(Measuring measuring) throws IOException, InterruptedException {
        System.out.println(Machine.description());
        Path work = Files.createDirectories(measuring.root().resolve("target/bars/trust"));
        for (Map.Entry<String, Attempt> bar : BARS.entrySet()) {
            if (measuring.trust().has(bar.getKey())) {
                Path folder = work.resolve(bar.getKey());
                Folders.delete(folder);
                Files.createDirectories(folder);
                measuring.attempt(bar.getKey(), () -> bar.getValue().measure(measuring, folder));
            }
        }
    }

    private static void hostile(Measuring measuring, Path folder) throws IOException, InterruptedException {
        long count = measuring.trust().brief() ? 300 : 10_000;
        trial(measuring, folder, "hostile", "hostile connections", count, HOSTILE_AT_ONCE);
    }

    private static void files(Measuring measuring, Path folder) throws IOException, InterruptedException {
        long count = measuring.trust().brief() ? 500 : 10_000;
        trial(measuring, folder, "files", "files and answers exchanged", count, cores());
    }

    private static void silent(Measuring measuring, Path folder) throws IOException, InterruptedException {
        long count = measuring.trust().brief() ? 120 : 600;
        trial(measuring, folder, "silent", "silent at a frame", count, SILENT_AT_ONCE);
        SilentJob.Seen seen = new SilentJob(measuring.root(), folder.resolve("daemon"), measuring.children())
                .run(measuring.trust().seed());
        measuring.record(Bar.holds(
                "daemon, the way of one job lost",
                seen.otherDoneSeconds() < seen.givenUpSeconds(),
                String.format(
                        "other done in %.1f s, given up in %.1f s", seen.otherDoneSeconds(), seen.givenUpSeconds()),
                "other goes on"));
        measuring.record(Bar.atMost(
                "daemon, until the lost job has failed", seen.givenUpSeconds(), 4.0 * SilentJob.TIMEOUT_SECONDS, " s"));
    }

    private static int cores() {
        return Runtime.getRuntime().availableProcessors();
    }

    /** One of {@code ./run trials}, in a process of its own. */
    private static void trial(Measuring measuring, Path folder, String name, String what, long count, int workers)
            throws IOException, InterruptedException {
        var words = new ArrayList<>(List.of("trials", "--only", name));
        words.addAll(List.of("--count", String.valueOf(count), "--parallel", String.valueOf(workers)));
        words.addAll(List.of("--seed", String.valueOf(measuring.trust().seed()), "--budget", "60m"));
        words.addAll(List.of("--work", folder.resolve("trials").toString()));
        List<String> program = BackupJvm.words(measuring.root(), TRIAL_HEAP, MEASURE, words);
        Measuring.Outcome outcome = measuring.run("trust-" + name, program.toArray(String[]::new));
        // "NAME  10,000 of 10,000, 0 failed, 60 s (160.0/s): what was seen; needed 10,000 without failure: pass"
        String figure = outcome.lastLine().replaceFirst("^\\S+\\s+", "").replaceFirst(" \\([0-9.]+/s\\): .*", "");
        measuring.record(Bar.holds(what, outcome.succeeded(), figure, String.format("%,d without failure", count)));
    }

    private static void crowd(Measuring measuring, Path folder) throws IOException, InterruptedException {
        Duration time = Duration.ofSeconds(measuring.trust().brief() ? 20 : 60);
        Crowd.Seen seen = new Crowd(measuring.root(), folder, time, measuring.children())
                .run(measuring.trust().seed());
        measuring.record(
                Bar.atLeast(Crowd.UNREAD + " that never read: agent's threads", seen.threads(), Crowd.UNREAD, ""));
        measuring.record(Bar.atMost(
                Crowd.UNREAD + " that never read: live heap", seen.liveHeapBytes() / 1e6, MOST_HEAP_MB, " MB"));
        measuring.record(Bar.atMost(
                Crowd.UNREAD + " that never read: most resident",
                seen.mostResidentBytes() / 1e6,
                MOST_RESIDENT_MB,
                " MB"));
        measuring.record(Bar.atLeast(
                Crowd.HONEST + " clients beside: backups of each",
                seen.leastBackups(),
                1,
                "",
                seen.backups() + " in " + time.toSeconds() + " s, all read again"));
    }

    private static void quota(Measuring measuring, Path folder) throws IOException, InterruptedException {
        QuotaRace.Seen seen = new QuotaRace(measuring.root(), folder, measuring.children())
                .run(measuring.trust().seed());
        long most = QuotaRace.QUOTA_BYTES + (long) QuotaRace.CLIENTS * QuotaRace.REGION_BYTES;
        measuring.record(Bar.atMost(
                QuotaRace.CLIENTS + " clients race for " + QuotaRace.QUOTA_BYTES / 1_000_000 + " MB: on disk",
                seen.mostBytes() / 1e6,
                most / 1e6,
                " MB",
                seen.snapshots() + " snapshots whole"));
    }

    private static void unchanged(Measuring measuring, Path folder) throws IOException, InterruptedException {
        long bytes = measuring.trust().brief() ? 10_000_000_000L : 1_000_000_000_000L;
        try (ListCosts costs = new ListCosts(measuring.root(), folder, measuring.children())) {
            ListCosts.Night night = costs.unchanged(bytes, measuring.trust().seed());
            String image = "unchanged " + bytes / 1_000_000_000 + " GB: ";
            measuring.record(Bar.atMost(image + "list", night.listBytes() / 1e6, 1, " MB"));
            measuring.record(Bar.atMost(image + "wire", night.wireBytes() / 1e6, 1, " MB"));
            String pages =
                    night.report().sharedPages() + " of " + night.report().listPages() + " pages";
            measuring.record(Bar.atLeast(image + "shared", night.sharedPercent(), 99, " %", pages));
        }
    }

    private static void sparse(Measuring measuring, Path folder) throws IOException, InterruptedException {
        try (ListCosts costs = new ListCosts(measuring.root(), folder, measuring.children())) {
            ListCosts.Night night =
                    costs.sparse(4L << 40, 100 << 20, 56, measuring.trust().seed());
            String image = "4 TiB with 100 MiB of data: ";
            double newBytes = night.report().storedBytes() / 1e6;
            String beside = String.format("%.1f MB of it chunks, compressed", newBytes);
            measuring.record(Bar.atMost(image + "sends", night.report().sentBytes() / 1e6, 4, " MB", beside));
            measuring.record(Bar.atMost(image + "list", night.listBytes() / 1e6, 2, " MB"));
        }
    }

    private static void marking(Measuring measuring, Path folder) throws IOException, InterruptedException {
        long bytes = measuring.trust().brief() ? 2_000_000_000L : 16_000_000_000L;
        int snapshots = measuring.trust().brief() ? 10 : 30;
        long seed = measuring.trust().seed();
        try (var one = new ListCosts(measuring.root(), folder.resolve("one"), measuring.children());
                var many = new ListCosts(measuring.root(), folder.resolve("many"), measuring.children())) {
            one.changing(bytes, 1, seed);
            ListCosts.Night last = many.changing(bytes, snapshots, seed);
            double[] ones = new double[MARKINGS];
            double[] manys = new double[MARKINGS];
            for (int i = -UNTIMED_MARKINGS; i < MARKINGS; i++) {
                ones[Math.max(0, i)] = one.mark();
                manys[Math.max(0, i)] = many.mark();
            }
            double median = median(manys);
            String beside = String.format(
                    "%.0f : %.0f ms, %,d chunks each, %.1f %% of pages shared",
                    median * 1e3, median(ones) * 1e3, last.report().snapshot().chunkCount(), last.sharedPercent());
            measuring.record(
                    Bar.atMost("marking " + snapshots + " snapshots : one", median / median(ones), 1.3, " x", beside));
        }
    }

    private static double median(double[] seconds) {
        return Arrays.stream(seconds).sorted().toArray()[seconds.length / 2];
    }
}
