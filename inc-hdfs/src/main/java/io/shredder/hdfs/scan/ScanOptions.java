// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan;

import io.shredder.hdfs.scan.plan.ScanSettings;
import io.shredder.hdfs.scan.report.ChunkSampler;
import io.shredder.hdfs.upload.UploadSetting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.shell.CommandFormat;
import org.jspecify.annotations.Nullable;

/**
 * The command line of {@code hadoop shredder scan}, checked as a whole. Immutable.
 *
 * @param task what to do with the files
 * @param again also files that have a manifest
 * @param json whether one document is printed instead of lines
 * @param report what a report is to say
 * @param listing of digests: written by {@link Task#DIGESTS}, compared with by {@link Task#VERIFY}
 * @param gpus that each map task asks YARN for; 0 for none
 * @param settings how files are cut; {@code conf} has them, too
 * @param roots paths and patterns
 */
record ScanOptions(
        Task task,
        boolean again,
        boolean json,
        Report report,
        Optional<String> listing,
        int gpus,
        ScanSettings settings,
        List<String> roots) {

    private static final String WRITE = "write";
    private static final String REPORT = "report";
    private static final String VERIFY = "verify";
    private static final String FORCE = "f";
    private static final String JSON = "json";
    private static final String SAMPLE = "sample";
    private static final String HTML = "html";
    private static final String AVERAGES = "averages";
    private static final String DIGESTS_ONLY = "digests-only";
    private static final String AGAINST = "against";
    private static final String GPUS = "gpus";

    /**
     * What a report is to say.
     *
     * @param html where it goes as a page
     * @param sample of how many of {@link ChunkSampler#ALL} chunks is asked
     * @param averages other average lengths of chunks, as they were given
     */
    record Report(Optional<Path> html, int sample, List<String> averages) {

        Report {
            averages = List.copyOf(averages);
        }
    }

    /** One of them is done. */
    enum Task {
        CUT("scan"),
        WRITE("write"),
        REPORT("report"),
        DIGESTS("digests"),
        VERIFY("verify");

        private final String fieldValue;

        Task(String fieldValue) {
            this.fieldValue = fieldValue;
        }

        /** In JSON. */
        String fieldValue() {
            return fieldValue;
        }
    }

    ScanOptions {
        roots = List.copyOf(roots);
    }

    /**
     * Takes a command line.
     *
     * @param conf gets the options that tasks need
     * @throws IllegalArgumentException naming the word that can't be and what could
     */
    static ScanOptions of(Configuration conf, String... arguments) {
        CommandFormat format = new CommandFormat(1, Integer.MAX_VALUE, WRITE, FORCE, REPORT, VERIFY, JSON);
        Stream.of(SAMPLE, HTML, AVERAGES, DIGESTS_ONLY, AGAINST, GPUS).forEach(format::addOptionWithValue);
        UploadSetting.options().forEach(format::addOptionWithValue);
        List<String> roots = new ArrayList<>(Arrays.asList(arguments));
        roots.replaceAll(word -> word.startsWith("--") ? word.substring(1) : word);
        format.parse(roots);
        Task task = task(format);
        String listing = format.getOptValue(task == Task.DIGESTS ? DIGESTS_ONLY : AGAINST);
        return new ScanOptions(
                task,
                task == Task.REPORT || task == Task.DIGESTS || format.getOpt(FORCE),
                format.getOpt(JSON),
                new Report(
                        html(format.getOptValue(HTML)),
                        sample(format.getOptValue(SAMPLE)),
                        averages(format.getOptValue(AVERAGES), conf)),
                Optional.ofNullable(listing),
                gpus(format.getOptValue(GPUS)),
                ScanSettings.of(format, conf),
                roots);
    }

    private static Task task(CommandFormat format) {
        boolean digests = format.getOptValue(DIGESTS_ONLY) != null;
        long tasks = Stream.of(WRITE, REPORT, VERIFY).filter(format::getOpt).count() + (digests ? 1 : 0);
        if (tasks > 1) {
            throw new IllegalArgumentException(
                    "--write, --report, --verify and --digests-only are four things: type one after the other");
        }
        if (format.getOpt(VERIFY)) {
            Stream.concat(UploadSetting.options().stream(), Stream.of(SAMPLE, HTML, AVERAGES))
                    .forEach(option ->
                            refuse(format, option, "is not for --verify, which goes by chunks that are known"));
            refuse(format, GPUS, "is not for --verify, which computes on CPUs");
            return Task.VERIFY;
        }
        refuse(format, AGAINST, "is for --verify: give that, too");
        if (format.getOpt(REPORT)) {
            return Task.REPORT;
        }
        Stream.of(SAMPLE, HTML, AVERAGES).forEach(option -> refuse(format, option, "is for --report: give that, too"));
        if (digests) {
            if (format.getOpt(FORCE)) {
                throw new IllegalArgumentException("-f is not for --digests-only, which replaces nothing");
            }
            return Task.DIGESTS;
        }
        return format.getOpt(WRITE) ? Task.WRITE : Task.CUT;
    }

    private static int gpus(@Nullable String count) {
        if (count == null) {
            return 0;
        }
        if (count.matches("[1-9][0-9]{0,2}")) {
            return Integer.parseInt(count);
        }
        throw new IllegalArgumentException("-gpus " + count + " can't be: give 1 to 999, for each task");
    }

    private static void refuse(CommandFormat format, String option, String why) {
        String value = format.getOptValue(option);
        if (value != null) {
            throw new IllegalArgumentException("-" + option + " " + value + " " + why);
        }
    }

    /** In hundredths of a percent. */
    private static int sample(@Nullable String percent) {
        if (percent == null) {
            return ChunkSampler.ALL;
        }
        try {
            long share = Math.round(Double.parseDouble(percent) * ChunkSampler.ALL / 100);
            if (share >= 1 && share <= ChunkSampler.ALL) {
                return (int) share;
            }
        } catch (NumberFormatException e) {
            // the same refusal, below
        }
        throw new IllegalArgumentException("-sample " + percent + " can't be: give 0.01 to 100 percent");
    }

    /** Found out before anything is read. */
    private static Optional<Path> html(@Nullable String file) {
        if (file == null) {
            return Optional.empty();
        }
        Path page = Path.of(file).toAbsolutePath();
        Path folder = page.getParent();
        if (folder == null || !Files.isWritable(folder) || Files.isDirectory(page)) {
            throw new IllegalArgumentException(
                    "-html " + file + " can't be written: name a file in a local folder that is there");
        }
        return Optional.of(page);
    }

    private static List<String> averages(@Nullable String sizes, Configuration conf) {
        List<String> averages = sizes == null ? List.of() : List.of(sizes.split(",", -1));
        averages.forEach(average -> ScanSettings.ofAverage(average, new Configuration(conf)));
        return averages;
    }
}
