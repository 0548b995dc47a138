// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.verify;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shredder.hdfs.scan.plan.PlannedJob;
import io.shredder.hdfs.scan.plan.ScanFindings;
import io.shredder.hdfs.scan.plan.ScanSplit;
import io.shredder.hdfs.scan.plan.ScratchFolder;
import io.shredder.hdfs.scan.plan.TaskRecords;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/** How files stand to their manifests. */
public final class ProofFindings implements ScanFindings {

    private final List<FileProof> files;

    private ProofFindings(List<FileProof> files) {
        this.files = List.copyOf(files);
    }

    /** Of no file. */
    public static ProofFindings none() {
        return new ProofFindings(List.of());
    }

    /**
     * Reads all files and proves them.
     *
     * @param err gets the progress
     */
    public static ProofFindings of(List<ScanSplit> splits, Configuration conf, PrintStream err)
            throws IOException, InterruptedException, ClassNotFoundException {
        try (ScratchFolder scratch = new ScratchFolder(conf)) {
            PlannedJob job = new PlannedJob(
                    "shredder scan --verify", splits, ProofMapper.class, ProofReducer.class, scratch, conf);
            Path outcomes = job.run(err);
            List<FileProof> files = new ArrayList<>(TaskRecords.readAll(outcomes, FileProof::read, conf));
            files.sort(Comparator.comparing(FileProof::path));
            return new ProofFindings(files);
        }
    }

    private long count(ProofState state) {
        return files.stream().filter(file -> file.state() == state).count();
    }

    @Override
    public boolean failed() {
        return files.stream().anyMatch(file -> file.state().isBad());
    }

    @Override
    public void print(PrintStream out, PrintStream err) {
        for (FileProof file : files) {
            (file.state().isBad() ? err : out).println((file.state().isBad() ? "scan: " : "") + line(file));
        }
        out.printf(
                Locale.ROOT,
                "%,d files verified, %,d damaged, %,d stale, %,d without a manifest, %,d could not be read%n",
                count(ProofState.VERIFIED),
                count(ProofState.DAMAGED),
                count(ProofState.STALE),
                count(ProofState.NO_MANIFEST),
                count(ProofState.FAILED));
    }

    private static String line(FileProof file) {
        PartProof sum = file.sum();
        String what =
                switch (file.state()) {
                    case VERIFIED ->
                        String.format(Locale.ROOT, "%,d bytes, %,d chunks, verified", file.bytes(), sum.chunks());
                    case DAMAGED -> "DAMAGED: " + (sum.reason().isEmpty() ? damage(sum) : sum.reason());
                    case FAILED -> "could not be verified: " + sum.reason();
                    case STALE, NO_MANIFEST -> sum.reason();
                };
        return file.path() + ": " + what;
    }

    private static String damage(PartProof sum) {
        return "the chunk at " + sum.offset() + " of " + sum.length() + " bytes is not what the manifest says; "
                + sum.differing() + " of " + sum.chunks() + " chunks differ";
    }

    @Override
    public void addTo(ObjectNode document) {
        ObjectNode counts = document.putObject("counts");
        for (ProofState state : ProofState.values()) {
            counts.put(state.fieldName(), count(state));
        }
        ArrayNode results = document.putArray("results");
        for (FileProof file : files) {
            PartProof sum = file.sum();
            ObjectNode result = results.addObject()
                    .put("path", file.path().toString())
                    .put("bytes", file.bytes())
                    .put("state", file.state().fieldName());
            if (sum.chunks() > 0) {
                result.put("chunks", sum.chunks()).put("differing", sum.differing());
            }
            if (sum.state() == ProofState.DAMAGED && sum.reason().isEmpty()) {
                result.putObject("firstDiffering").put("offset", sum.offset()).put("length", sum.length());
            }
            if (!sum.reason().isEmpty()) {
                result.put("reason", sum.reason());
            }
        }
    }
}
