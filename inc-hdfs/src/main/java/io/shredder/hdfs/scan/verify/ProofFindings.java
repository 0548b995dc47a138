// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.verify;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shredder.hdfs.scan.plan.PlannedJob;
import io.shredder.hdfs.scan.plan.ScanFindings;
import io.shredder.hdfs.scan.plan.ScanPlan;
import io.shredder.hdfs.scan.plan.ScratchFolder;
import io.shredder.hdfs.scan.plan.TaskRecords;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;

/** How files stand to their manifests, or to a listing of digests. */
public final class ProofFindings implements ScanFindings {

    private static final List<ProofState> OF_MANIFESTS = List.of(
            ProofState.VERIFIED, ProofState.DAMAGED, ProofState.STALE, ProofState.NO_MANIFEST, ProofState.FAILED);
    private static final List<ProofState> OF_LISTING = List.of(
            ProofState.VERIFIED,
            ProofState.DAMAGED,
            ProofState.CHANGED,
            ProofState.MISSING,
            ProofState.NOT_LISTED,
            ProofState.FAILED);

    private final List<FileProof> files;
    private final boolean listed;

    private ProofFindings(List<FileProof> files, boolean listed) {
        this.files = files;
        this.listed = listed;
    }

    /** @param listed whether they were proved against a listing */
    static ProofFindings of(List<FileProof> files, boolean listed) {
        return new ProofFindings(
                files.stream().sorted(Comparator.comparing(FileProof::path)).toList(), listed);
    }

    /**
     * Reads all files and proves them against their manifests. A folder that could not be listed is a failure, since
     * what is in it was not proved; a file that is being written is none, since no manifest describes it yet.
     *
     * @param err gets the progress
     */
    public static ProofFindings ofManifests(ScanPlan plan, Configuration conf, PrintStream err)
            throws IOException, InterruptedException, ClassNotFoundException {
        List<FileProof> proofs = new ArrayList<>(read(plan, conf, err));
        plan.unlisted()
                .forEach((folder, why) ->
                        proofs.add(new FileProof(folder, 0, PartProof.without(ProofState.FAILED, why))));
        return of(proofs, false);
    }

    /** Reads all files. */
    static List<FileProof> read(ScanPlan plan, Configuration conf, PrintStream err)
            throws IOException, InterruptedException, ClassNotFoundException {
        if (plan.files() == 0) {
            return List.of();
        }
        try (ScratchFolder scratch = new ScratchFolder(conf)) {
            PlannedJob job = new PlannedJob(
                    "shredder scan --verify", plan.splits(), ProofMapper.class, ProofReducer.class, scratch, conf);
            return TaskRecords.readAll(job.run(err), FileProof::read, conf);
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
        out.println((listed ? OF_LISTING : OF_MANIFESTS)
                .stream()
                        .map(state -> String.format(Locale.ROOT, "%,d %s", count(state), counted(state)))
                        .collect(Collectors.joining(", ")));
    }

    private static String counted(ProofState state) {
        return switch (state) {
            case VERIFIED -> "files verified";
            case DAMAGED -> "damaged";
            case STALE -> "stale";
            case CHANGED -> "changed";
            case MISSING -> "missing";
            case NO_MANIFEST -> "without a manifest";
            case NOT_LISTED -> "not listed";
            case FAILED -> "could not be read";
        };
    }

    private String line(FileProof file) {
        PartProof sum = file.sum();
        String what =
                switch (file.state()) {
                    case VERIFIED ->
                        String.format(Locale.ROOT, "%,d bytes, %,d chunks, verified", file.bytes(), sum.chunks());
                    case DAMAGED -> "DAMAGED: " + (sum.reason().isEmpty() ? difference(sum) : sum.reason());
                    case CHANGED -> "changed: " + (sum.reason().isEmpty() ? difference(sum) : sum.reason());
                    case MISSING -> "MISSING: " + sum.reason();
                    case FAILED -> "could not be verified: " + sum.reason();
                    case STALE, NO_MANIFEST, NOT_LISTED -> sum.reason();
                };
        return file.path() + ": " + what;
    }

    private String difference(PartProof sum) {
        return "the chunk at " + sum.offset() + " of " + sum.length() + " bytes is not what the "
                + (listed ? "listing" : "manifest") + " says; " + sum.differing() + " of " + sum.chunks()
                + " chunks differ";
    }

    @Override
    public void addTo(ObjectNode document) {
        ObjectNode counts = document.putObject("counts");
        for (ProofState state : listed ? OF_LISTING : OF_MANIFESTS) {
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
            if (sum.differing() > 0 && sum.reason().isEmpty()) {
                result.putObject("firstDiffering").put("offset", sum.offset()).put("length", sum.length());
            }
            if (!sum.reason().isEmpty()) {
                result.put("reason", sum.reason());
            }
        }
    }
}
