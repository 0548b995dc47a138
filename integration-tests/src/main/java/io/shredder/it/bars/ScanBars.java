// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bars;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.chunk.Chunk;
import io.shredder.chunk.Manifest;
import io.shredder.hdfs.manifest.HdfsManifests;
import io.shredder.hdfs.scan.ScanTool;
import io.shredder.it.cluster.HadoopCluster;
import io.shredder.it.cluster.HdfsShell;
import io.shredder.it.corpus.Folders;
import io.shredder.it.corpus.ServerDisk;
import io.shredder.it.corpus.SimilarImages;
import io.shredder.it.corpus.SourceReleases;
import io.shredder.it.corpus.SourceReleases.Release;
import io.shredder.it.figures.Bar;
import io.shredder.it.upload.UploadTexts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ToolRunner;

/**
 * Whether {@code hadoop shredder scan --report -sample 5} says what the report of all chunks says, of data of three
 * kinds, and whether a long file gets the chunks of an upload. Jobs run in this process, several maps and reduces each.
 */
final class ScanBars implements BarSet {
    /** Parts of {@code --only}. */
    static final String SHARING = "scan";

    static final String FILE = "file";

    private static final double POINTS_ALLOWED = 2;
    private static final String SAMPLE_PERCENT = "5";
    private static final long MASTER_BYTES = 96L << 20;
    private static final double[] SIMILARITIES = {0.95, 0.8, 0.5, 0.2};
    private static final long SEED = 20_261_127;
    private static final String LARGE = "scan of a file of 5 GB beside its upload";
    private static final String LARGE_AVERAGE = "64k";
    private static final long LARGE_BYTES = 5_000_000_000L;
    private static final double NS_PER_SECOND = 1e9;
    private static final double MEGA = 1e6;

    @Override
    public void measure(Measuring measuring) throws IOException, InterruptedException {
        Path work = measuring.root().resolve("target").resolve("bars").resolve("scan-cluster");
        Folders.delete(work);
        Path bands = measuring.root().resolve("target").resolve("bars").resolve("scan-bands");
        try (var cluster = HadoopCluster.started(work, HadoopCluster.Shape.HDFS)) {
            Configuration conf = cluster.clientConfiguration();
            conf.set("mapreduce.framework.name", "local");
            conf.set("hadoop.tmp.dir", work.resolve("client-tmp").toString());
            if (measuring.has(SHARING)) {
                measuring.attempt("a disk", () -> compare(measuring, conf, "disk", disks(measuring), "raw"));
                measuring.attempt("sources", () -> compare(measuring, conf, "sources", sources(measuring), "text"));
                measuring.attempt("bands", () -> compare(measuring, conf, "bands", bands(measuring, bands), "raw"));
            }
            if (measuring.has(FILE)) {
                measuring.attempt(LARGE, () -> large(measuring, conf, work));
            }
        } finally {
            Folders.delete(work);
            Folders.delete(bands);
        }
    }

    /** A server's disk with much of it zeros, and two weeks later. */
    private static ServerDisk.Versions disk(Measuring measuring) throws IOException, InterruptedException {
        return ServerDisk.in(
                UploadBars.cache(measuring), UploadBars.logs(measuring), measuring.children(), ServerDisk.LEAST_BYTES);
    }

    private static Map<String, Path> disks(Measuring measuring) throws IOException, InterruptedException {
        ServerDisk.Versions disk = disk(measuring);
        return folders(List.of(disk.first(), disk.second()));
    }

    /** Two releases of a source tree. */
    private static Map<String, Path> sources(Measuring measuring) throws IOException, InterruptedException {
        List<Release> releases =
                SourceReleases.in(UploadBars.cache(measuring), UploadBars.logs(measuring), measuring.children());
        return folders(releases.stream().map(Release::text).toList());
    }

    /** A master image and others that are like it to different degrees. */
    private static Map<String, Path> bands(Measuring measuring, Path folder) throws IOException, InterruptedException {
        Path disk = disk(measuring).first();
        Files.createDirectories(folder);
        SimilarImages images = SimilarImages.of(disk, folder, MASTER_BYTES);
        Map<String, Path> files = new LinkedHashMap<>(Map.of("master", images.master()));
        for (double similarity : SIMILARITIES) {
            Path image = folder.resolve("like-" + similarity);
            images.write(image, images.table(similarity), SEED + Math.round(100 * similarity));
            files.put("like-" + similarity, image);
        }
        return files;
    }

    private static Map<String, Path> folders(List<Path> files) {
        Map<String, Path> folders = new LinkedHashMap<>();
        files.forEach(file -> folders.put(Integer.toString(folders.size()), file));
        return folders;
    }

    /** @param folders what each of them holds */
    private static void compare(
            Measuring measuring, Configuration conf, String name, Map<String, Path> folders, String inputFormat)
            throws IOException {
        var shell = new HdfsShell(conf);
        for (var folder : folders.entrySet()) {
            String target = "/" + name + "/" + folder.getKey();
            shell.run("-mkdir", "-p", target);
            shell.run("-copyFromLocal", folder.getValue().toString(), target);
        }
        double exact = saved(conf, inputFormat, "/" + name, "100");
        double estimated = saved(conf, inputFormat, "/" + name, SAMPLE_PERCENT);
        measuring.record(Bar.atMost(
                "scan of " + name + ": " + SAMPLE_PERCENT + " % beside all, points",
                Math.abs(estimated - exact),
                POINTS_ALLOWED,
                "",
                String.format(Locale.ROOT, "%.2f : %.2f %% saved", estimated, exact)));
        shell.run("-rm", "-r", "-skipTrash", "/" + name);
    }

    /** Cut in 19 parts, whose beginnings are no cuts. */
    private static void large(Measuring measuring, Configuration conf, Path work) throws IOException {
        Path text = UploadTexts.in(work.resolve("text"), 1, LARGE_BYTES).get(0);
        var own = new Configuration(conf);
        own.setInt("dfs.replication", 1);
        var shell = new HdfsShell(own);
        shell.run("-mkdir", "/large");
        shell.run("-copyFromLocalGPU", "-avg", LARGE_AVERAGE, text.toString(), "/large/uploaded");
        shell.run("-copyFromLocal", text.toString(), "/large/plain");
        Files.delete(text);
        long startNs = System.nanoTime();
        scan(own, "--write", "-avg", LARGE_AVERAGE, "/large/plain");
        double seconds = (System.nanoTime() - startNs) / NS_PER_SECOND;
        List<Chunk> scanned = chunks(own, "/large/plain");
        measuring.record(Bar.holds(
                LARGE,
                scanned.equals(chunks(own, "/large/uploaded")),
                String.format(
                        Locale.ROOT,
                        "%,d chunks; %.0f MB/s, one map at a time",
                        scanned.size(),
                        LARGE_BYTES / MEGA / seconds),
                "the same chunks"));
        shell.run("-rm", "-r", "-skipTrash", "/large");
    }

    /** As if all were of one block. */
    private static List<Chunk> chunks(Configuration conf, String file) throws IOException {
        var path = new org.apache.hadoop.fs.Path(file);
        Manifest manifest =
                HdfsManifests.find(path.getFileSystem(conf), path).manifest().orElseThrow();
        return manifest.chunks().stream()
                .map(chunk -> new Chunk(chunk.offset(), chunk.length(), chunk.fingerprint(), false))
                .toList();
    }

    private static double saved(Configuration conf, String inputFormat, String folder, String percent)
            throws IOException {
        String printed = scan(
                conf,
                "-D",
                "inc-hdfs.scan.part=16m",
                "--report",
                "--json",
                "-sample",
                percent,
                "-avg",
                "8k",
                "-inputFormat",
                inputFormat,
                folder);
        return new ObjectMapper()
                .readTree(printed)
                .get("all")
                .get("savedPercent")
                .asDouble();
    }

    /** Returns what it printed. */
    private static String scan(Configuration conf, String... words) throws IOException {
        var out = new ByteArrayOutputStream();
        var tool = new ScanTool(new PrintStream(out, true, StandardCharsets.UTF_8), System.err);
        int exitCode;
        try {
            exitCode = ToolRunner.run(new Configuration(conf), tool, words);
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) { // as ToolRunner declares
            throw new IOException(e);
        }
        if (exitCode != 0) {
            throw new IOException("hadoop shredder scan " + String.join(" ", words) + " ended with " + exitCode);
        }
        return out.toString(StandardCharsets.UTF_8);
    }
}
