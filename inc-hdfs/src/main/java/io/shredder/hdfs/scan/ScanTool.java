// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shredder.hdfs.scan.CutJob.Shared;
import io.shredder.hdfs.scan.ScanOptions.Task;
import io.shredder.hdfs.scan.digests.ListingTarget;
import io.shredder.hdfs.scan.plan.GpuRequest;
import io.shredder.hdfs.scan.plan.LastAttempt;
import io.shredder.hdfs.scan.plan.ScanFindings;
import io.shredder.hdfs.scan.plan.ScanPlan;
import io.shredder.hdfs.scan.plan.ScanSettings;
import io.shredder.hdfs.scan.report.ChunkSampler;
import io.shredder.hdfs.scan.report.SharingPage;
import io.shredder.hdfs.scan.report.SharingReport;
import io.shredder.hdfs.scan.report.SharingReport.Amount;
import io.shredder.hdfs.scan.verify.ListingProof;
import io.shredder.hdfs.scan.verify.ProofFindings;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.GlobPattern;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.util.Tool;

/** {@code hadoop shredder scan}. For one thread. */
public final class ScanTool extends Configured implements Tool {

    private static final int DONE = 0;
    private static final int FAILED = 1;
    private static final int WRONG_USAGE = 2;
    private static final double PERCENT = 100;
    private static final String PART_KEY = "inc-hdfs.scan.part";
    private static final long DEFAULT_PART_BYTES = 256 << 20;

    private static final String USAGE =
            """
            usage: hadoop shredder scan [-D name=value] [--write] [-f] [--json] [-inputFormat <name>] [-avg <size>]
                   [-min <size>] [-max <size>] [-digest <name>] [-backend <name>] [-gpus <n>] <path> ...
                   hadoop shredder scan --report [-sample <percent>] [--averages <size>,...] [--html <file>] [--json]
                   [-inputFormat <name>] ... <path> ...
                   hadoop shredder scan --digests-only <listing> [--json] [-inputFormat <name>] ... <path> ...
                   hadoop shredder scan --verify [--against <listing>] [--json] <path> ...
            Cut files that are in HDFS into chunks, where their blocks are, by a MapReduce job, as -copyFromLocalGPU
            does under the same options. Paths are files, folders or patterns; what is hidden is left out. Folders that
            may not be read are named and left out.
              --write  : Write each file a manifest, so that incremental jobs reuse its chunks, and -chunkDiff and
                         -verifyChunks know it. Without it nothing is written.
              -f       : Also files that have a manifest; with --write it is replaced.
              --report : Instead of a line for each file: how much of all these files deduplication would save, in
                         each folder right below a path, and what these share. All files are read.
              -sample <percent> : Beside --report: ask only so many of the chunks, chosen by content.
              --averages <size>,... : Beside --report: also what chunks of these average lengths would save, such as
                         4k,8k,64k. All files are read once more for each.
              --html <file> : Beside --report: also a page with plots, in this local file.
              --digests-only <listing> : Write the digests of all files' chunks to this one new file in HDFS, and
                         nothing else, to see later whether the files are still what they were.
              --verify : Read the files, and prove each chunk against the file's manifest. Names what is damaged, with
                         the first chunk that differs, and manifests that are not of their file's content. Writes
                         nothing.
              --against <listing> : Beside --verify: prove the files against this listing of --digests-only instead,
                         also that all its files below the paths are there. Here paths are no patterns.
              -gpus <n> : Have YARN give each map task so many GPUs (yarn.io/gpu) to compute on.
              --json   : Print one JSON document instead of lines.
            Other options are those of 'hdfs dfs -help copyFromLocalGPU'. Prints a line for each file. Exit codes: 0
            done, and with --verify all was read, and nothing is damaged, stale, changed or missing; 1 something of it
            failed, or is one of these; 2 wrong usage.""";

    private final PrintStream out;
    private final PrintStream err;

    /** Prints to these. */
    public ScanTool(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** @param arguments without Hadoop's generic options */
    @Override
    public int run(String[] arguments) throws Exception {
        if (Set.of("-help", "--help", "-h").stream().anyMatch(List.of(arguments)::contains)) {
            out.println(USAGE);
            return DONE;
        }
        try {
            return scan(arguments);
        } catch (IllegalArgumentException e) {
            err.println("scan: " + LastAttempt.reason(e) + " (see 'hadoop shredder scan --help')");
            return WRONG_USAGE;
        } catch (IOException e) {
            err.println("scan: " + LastAttempt.reason(e));
            return FAILED;
        }
    }

    private int scan(String... arguments) throws IOException, InterruptedException, ClassNotFoundException {
        Configuration conf = new Configuration(getConf());
        ScanOptions options = ScanOptions.of(conf, arguments);
        long part = partBytes(conf);
        Optional<ListingTarget> target = options.task() == Task.DIGESTS
                ? Optional.of(ListingTarget.of(options.listing().orElseThrow(), conf))
                : Optional.empty();
        if (options.gpus() > 0) {
            GpuRequest.make(options.gpus(), options.settings(), conf);
        }
        ScanPlan plan = options.task() == Task.VERIFY
                ? ScanPlan.toRead(part)
                : ScanPlan.toCut(options.settings(), options.again(), options.task() == Task.WRITE, part);
        List<Path> roots = add(plan, options, conf);
        ScanFindings findings =
                options.task() == Task.VERIFY ? verify(plan, options, roots, conf) : cut(plan, options, target, conf);
        if (options.json()) {
            out.println(document(plan, options, findings));
        } else {
            findings.print(out, err);
        }
        return findings.failed() || plan.refuses() ? FAILED : DONE;
    }

    private static long partBytes(Configuration conf) {
        long bytes = conf.getLongBytes(PART_KEY, DEFAULT_PART_BYTES);
        if (bytes < 1) {
            throw new IllegalArgumentException(PART_KEY + " is " + bytes + ": give a size such as 256m");
        }
        return bytes;
    }

    /** Returns the files and folders that the paths mean. */
    private static List<Path> add(ScanPlan plan, ScanOptions options, Configuration conf) throws IOException {
        List<Path> roots = new ArrayList<>();
        Set<URI> systems = new TreeSet<>();
        for (String name : options.roots()) {
            if (options.task() == Task.VERIFY && options.listing().isPresent() && new GlobPattern(name).hasWildcard()) {
                throw new IllegalArgumentException(
                        name + " is a pattern, which what is missing doesn't match: name folders or files");
            }
            Path root = new Path(name);
            FileSystem fs = root.getFileSystem(conf);
            if (!(fs instanceof DistributedFileSystem hdfs)) {
                throw new IOException(root + " is not in HDFS: name files that are");
            }
            FileStatus[] found = fs.globStatus(root);
            if (found == null || found.length == 0) {
                throw new IOException(root + " isn't there");
            }
            for (FileStatus status : found) {
                plan.add(hdfs, status);
                roots.add(status.getPath());
            }
            systems.add(fs.getUri());
        }
        if (options.task() == Task.DIGESTS && systems.size() > 1) {
            throw new IllegalArgumentException(
                    "--digests-only makes a listing of one file system, and these are " + systems + ": make several");
        }
        return roots;
    }

    private void announce(ScanPlan plan, ScanOptions options) {
        if (options.json()) {
            return;
        }
        Map<Path, String> skipped = plan.skipped();
        skipped.forEach((path, why) -> out.println(path + ": left out: " + why));
        if (plan.files() > 0 || !skipped.isEmpty()) {
            out.printf(
                    Locale.ROOT,
                    "scanning %,d files, %,d bytes, in %,d tasks%s%n",
                    plan.files(),
                    plan.bytes(),
                    plan.splits().size(),
                    skipped.isEmpty() ? "" : String.format(Locale.ROOT, "; %,d left out", skipped.size()));
        }
    }

    private ScanFindings verify(ScanPlan plan, ScanOptions options, List<Path> roots, Configuration conf)
            throws IOException, InterruptedException, ClassNotFoundException {
        if (options.listing().isEmpty()) {
            announce(plan, options);
            return ProofFindings.ofManifests(plan, conf, err);
        }
        ListingProof proof = ListingProof.of(options.listing().get(), plan, roots, conf);
        announce(plan, options);
        return proof.prove(err);
    }

    private ScanFindings cut(ScanPlan plan, ScanOptions options, Optional<ListingTarget> target, Configuration conf)
            throws IOException, InterruptedException, ClassNotFoundException {
        announce(plan, options);
        if (options.task() == Task.REPORT) {
            return report(plan, options, conf);
        }
        CutJob job = new CutJob(plan, options.settings(), conf, err);
        if (target.isPresent()) {
            return job.list(target.get());
        }
        return plan.files() == 0
                ? new CutFindings(options.settings(), List.of())
                : job.cut(options.task() == Task.WRITE);
    }

    /** Reads all files once, and once more for each other average length. */
    private SharingReport report(ScanPlan plan, ScanOptions options, Configuration conf)
            throws IOException, InterruptedException, ClassNotFoundException {
        Shared shared = share(plan, options.settings(), options.report().sample(), conf);
        Map<Path, String> failures = new TreeMap<>(shared.cut().failures());
        List<Amount> averages = new ArrayList<>();
        for (String average : options.report().averages()) {
            Configuration own = new Configuration(conf);
            ScanSettings settings = ScanSettings.ofAverage(average, own);
            Shared other = share(plan, settings, options.report().sample(), own);
            other.cut().failures().forEach(failures::putIfAbsent);
            averages.add(SharingReport.ofAverage(settings.params().averageBytes(), other.estimate()));
        }
        SharingReport report = new SharingReport(
                shared.estimate(),
                plan.groups(),
                PERCENT * options.report().sample() / ChunkSampler.ALL,
                averages,
                failures);
        if (options.report().html().isPresent()) {
            new SharingPage(report).write(options.report().html().get());
        }
        return report;
    }

    private Shared share(ScanPlan plan, ScanSettings settings, int sample, Configuration conf)
            throws IOException, InterruptedException, ClassNotFoundException {
        return plan.files() == 0 ? CutJob.nothing(settings) : new CutJob(plan, settings, conf, err).share(sample);
    }

    private static String document(ScanPlan plan, ScanOptions options, ScanFindings findings) throws IOException {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        document.put("version", 1).put("task", options.task().fieldValue());
        document.put("files", plan.files()).put("bytes", plan.bytes());
        ArrayNode leftOut = document.putArray("leftOut");
        plan.skipped()
                .forEach((path, why) ->
                        leftOut.addObject().put("path", path.toString()).put("reason", why));
        findings.addTo(document);
        return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(document);
    }
}
