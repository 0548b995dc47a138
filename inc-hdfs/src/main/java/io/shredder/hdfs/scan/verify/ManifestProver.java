// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.verify;

import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Manifest;
import io.shredder.hdfs.manifest.HdfsManifests;
import io.shredder.hdfs.scan.plan.LastAttempt;
import io.shredder.hdfs.scan.plan.ScanSplit.Part;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** By the manifests that files have. */
final class ManifestProver implements PartProver {

    @Override
    public PartProof prove(FileSystem fs, Part part, Runnable progress) throws IOException {
        Path path = part.file().path();
        HdfsManifests.Lookup found;
        try {
            found = HdfsManifests.find(fs, path);
        } catch (DamagedDataException e) {
            return PartProof.without(ProofState.DAMAGED, "its manifest is damaged: " + LastAttempt.reason(e));
        }
        Optional<PartProof> without = without(found);
        if (without.isPresent()) {
            return without.get();
        }
        Manifest manifest = found.manifest().orElseThrow();
        PartProof proof;
        try (FSDataInputStream in = fs.open(path)) {
            proof = new ChunkReader(in, manifest.length(), manifest, progress).prove(part.start(), part.end());
        }
        // A file that was replaced between looking and opening isn't damaged.
        return proof.differing() == 0
                ? proof
                : without(HdfsManifests.find(fs, path)).orElse(proof);
    }

    /** Empty if there is a manifest that may be used. */
    private static Optional<PartProof> without(HdfsManifests.Lookup found) {
        if (found.manifest().isPresent()) {
            return Optional.empty();
        }
        ProofState state = found.isStale() ? ProofState.STALE : ProofState.NO_MANIFEST;
        return Optional.of(PartProof.without(state, found.reason()));
    }

    @Override
    public void close() {}
}
