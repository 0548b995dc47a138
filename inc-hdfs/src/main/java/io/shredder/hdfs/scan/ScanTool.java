// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan;

import io.shredder.chunk.Fingerprint;
import io.shredder.engine.Shredder;
import io.shredder.hdfs.scan.ScanRecords.Outcome;
import io.shredder.hdfs.upload.UploadSetting;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.fs.shell.CommandFormat;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.MultipleOutputs;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;
import org.apache.hadoop.util.ClassUtil;
import org.apache.hadoop.util.Tool;
import org.jspecify.annotations.Nullable;

/** {@code hadoop shredder scan}. For one thread. */
public final class ScanTool extends Configured implements Tool {

    private static final int DONE = 0;
    private static final int FAILED = 1;
    private static final int WRONG_USAGE = 2;
    private static final FsPermission OWNER_ONLY = new FsPermission((short) 0700);
    private static final String SAMPLE = "sample";
    private static final String PART_KEY = "inc-hdfs.scan.part";
    private static final long DEFAULT_PART_BYTES = 256 << 20;
    private static final String TEMPORARY_JARS = "tmpjars";
    private static final String NATIVE = "io/shredder/engine/native/linux-x86_64/libshredder.so";
    private static final long SPLITS_PER_REDUCE = 32;
    private static final int MOST_REDUCES = 64;

    private static final String USAGE =
            """
            usage: hadoop shredder scan [-D name=value] [--write] [-f] [--report [-sample <percent>]]
                   [-inputFormat <name>] [-avg <size>] [-min <size>] [-max <size>] [-digest <name>]
                   [-backend <name>] <path> ...
            Cut files that are in HDFS into chunks, where their blocks are, by a MapReduce job, as -copyFromLocalGPU
            does under the same options. Paths are files, folders or patterns; what is hidden is left out.
              --write : Write each file a manifest, so that incremental jobs reuse its chunks, and -chunkDiff and
                        -verifyChunks know it. Without it nothing is written.
              -f      : Also files that have a manifest; with --write it is replaced.
              --report : Instead of a line for each file: how much of all these files deduplication would save, in
                        each folder right below a path, and what these share. All files are read.
              -sample <percent> : Beside --report: ask only so many of the chunks, chosen by content.
            Other options are those of 'hdfs dfs -help copyFromLocalGPU'. Prints a line for each file. Exit codes: 0
            done, 1 something of it failed, 2 wrong usage.""";

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
        CommandFormat format = new CommandFormat(1, Integer.MAX_VALUE, "write", "f", "report");
        format.addOptionWithValue(SAMPLE);
        UploadSetting.options().forEach(format::addOptionWithValue);
        List<String> roots = new ArrayList<>(Arrays.asList(arguments));
        roots.replaceAll(word -> word.startsWith("--") ? word.substring(1) : word);
        format.parse(roots);
        Configuration conf = new Configuration(getConf());
        boolean reports = format.getOpt("report");
        if (reports && format.getOpt("write")) {
            throw new IllegalArgumentException("--write and --report are two things: type one after the other");
        }
        conf.setInt(ScanSettings.SAMPLE_KEY, sample(reports, format.getOptValue(SAMPLE)));
        boolean all = reports || format.getOpt("f");
        ScanPlan plan = new ScanPlan(ScanSettings.of(format, conf), all, partBytes(conf));
        for (String root : roots) {
            add(plan, new Path(root), conf);
        }
        plan.skipped().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(file -> out.println(file.getKey() + ": left out: " + file.getValue()));
        conf.setBoolean(ScanSettings.WRITE_KEY, format.getOpt("write"));
        conf.setInt(ScanSettings.GROUPS_KEY, reports ? plan.groups().size() : 0);
        return plan.files() == 0 ? DONE : run(plan, reports, conf);
    }

    /** In hundredths of a percent. */
    private static int sample(boolean reports, @Nullable String percent) {
        if (percent == null) {
            return ScanSettings.ALL;
        }
        try {
            long share = Math.round(Double.parseDouble(percent) * ScanSettings.ALL / 100);
            if (reports && share >= 1 && share <= ScanSettings.ALL) {
                return (int) share;
            }
        } catch (NumberFormatException e) {
            // the same refusal, below
        }
        throw new IllegalArgumentException("-sample " + percent + " is for --report, from 0.01 to 100 percent");
    }

    private static long partBytes(Configuration conf) {
        long bytes = conf.getLongBytes(PART_KEY, DEFAULT_PART_BYTES);
        if (bytes < 1) {
            throw new IllegalArgumentException(PART_KEY + " is " + bytes + ": give a size such as 256m");
        }
        return bytes;
    }

    private static void add(ScanPlan plan, Path root, Configuration conf) throws IOException {
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
        }
    }

    private int run(ScanPlan plan, boolean reports, Configuration conf)
            throws IOException, InterruptedException, ClassNotFoundException {
        Path scratch = new Path(FileSystem.get(conf).getHomeDirectory(), ".shredder-scan-" + UUID.randomUUID());
        FileSystem fs = scratch.getFileSystem(conf);
        fs.mkdirs(scratch, OWNER_ONLY);
        fs.deleteOnExit(scratch);
        try {
            List<ScanSplit> splits = plan.splits();
            ScanInputFormat.plan(splits, new Path(scratch, "plan"), conf);
            Path outcomes = new Path(scratch, "outcomes");
            Job job = job(splits.size(), outcomes, conf);
            out.printf(
                    Locale.ROOT,
                    "scanning %,d files, %,d bytes, in %,d tasks%n",
                    plan.files(),
                    plan.bytes(),
                    splits.size());
            new ScanProgress(plan.bytes(), err).run(job);
            if (!job.isSuccessful()) {
                err.println("scan: the job failed: " + job.getStatus().getFailureInfo());
                return FAILED;
            }
            int exitCode = tell(plan, !reports, outcomes, conf);
            if (reports) {
                Sharing sharing = new SharingJob(scratch, new Path(outcomes, ScanSettings.CHUNKS), conf).run(err);
                double scale = ScanSettings.ALL / (double) conf.getInt(ScanSettings.SAMPLE_KEY, ScanSettings.ALL);
                new SharingReport(sharing, plan.groups()).print(out, scale);
            }
            return exitCode;
        } finally {
            fs.delete(scratch, true);
        }
    }

    private static Job job(int splits, Path outcomes, Configuration conf) throws IOException {
        if (!"local".equals(conf.get("mapreduce.framework.name", "local"))) {
            shipJars(conf);
        }
        Job job = Job.getInstance(conf, "shredder scan");
        job.setJarByClass(ScanTool.class);
        job.setInputFormatClass(ScanInputFormat.class);
        job.setMapperClass(ScanMapper.class);
        job.setReducerClass(ScanReducer.class);
        job.setReduceSpeculativeExecution(false); // Two attempts would write one manifest.
        job.setMapOutputKeyClass(BytesWritable.class);
        job.setMapOutputValueClass(BytesWritable.class);
        job.setOutputKeyClass(NullWritable.class);
        job.setOutputValueClass(BytesWritable.class);
        job.setOutputFormatClass(SequenceFileOutputFormat.class);
        job.setNumReduceTasks((int) Math.min(MOST_REDUCES, 1 + splits / SPLITS_PER_REDUCE));
        FileOutputFormat.setOutputPath(job, outcomes);
        MultipleOutputs.addNamedOutput(
                job, ScanSettings.CHUNKS, SequenceFileOutputFormat.class, BytesWritable.class, LongWritable.class);
        return job;
    }

    private static void shipJars(Configuration conf) throws IOException {
        Set<String> jars = new LinkedHashSet<>(conf.getStringCollection(TEMPORARY_JARS));
        for (Class<?> type : List.of(ScanTool.class, Fingerprint.class, Shredder.class)) {
            String jar = ClassUtil.findContainingJar(type);
            if (jar == null) {
                throw new IOException(
                        type.getName()
                                + " was not loaded from a jar, so it can't be sent to the cluster: put the built jars on the class path");
            }
            jars.add(new File(jar).toURI().toString());
        }
        URL library = ScanTool.class.getClassLoader().getResource(NATIVE);
        if (library != null && library.getProtocol().equals("jar")) {
            jars.add(library.getPath().replaceFirst("!.*", ""));
        }
        conf.set(TEMPORARY_JARS, String.join(",", jars));
    }

    private int tell(ScanPlan plan, boolean each, Path outcomes, Configuration conf) throws IOException {
        List<Outcome> all = ScanRecords.readAll(outcomes, ScanRecords::outcome, conf);
        if (all.size() != plan.files()) {
            throw new IOException("of " + plan.files() + " files the job says what became of " + all.size()
                    + ": this is a bug, please report it");
        }
        all.sort(Comparator.comparing(outcome -> outcome.file().path()));
        boolean failed = false;
        for (Outcome outcome : all) {
            if (outcome.failure().isEmpty() && each) {
                out.printf(
                        Locale.ROOT,
                        "%s: %,d bytes, %,d chunks%s%n",
                        outcome.file().path(),
                        outcome.file().length(),
                        outcome.chunks(),
                        outcome.written() ? ", manifest written" : "");
                plan.opaque(outcome.file().path())
                        .ifPresent(why -> out.println(outcome.file().path() + ": " + why));
            } else if (!outcome.failure().isEmpty()) {
                failed = true;
                err.println("scan: " + outcome.file().path() + ": " + outcome.failure());
            }
        }
        return failed ? FAILED : DONE;
    }
}
