// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.verify;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.fs.Path;

/**
 * What was found of a file.
 *
 * @param bytes its length
 * @param sum of its parts, the first chunk that differs being the first in the file
 */
record FileProof(Path path, long bytes, PartProof sum) {

    static final String REPLACED = "it was changed while it was verified: verify it again";

    /** The worst state is the file's. */
    static FileProof of(Path path, long bytes, List<PartProof> parts) {
        PartProof worst = parts.stream()
                .min(Comparator.comparing(PartProof::state).thenComparing(PartProof::offset))
                .orElseGet(() -> PartProof.without(ProofState.FAILED, "no task has read it"));
        if (worst.state() == ProofState.VERIFIED && !follow(bytes, parts)) {
            worst = PartProof.without(ProofState.FAILED, REPLACED);
        }
        PartProof sum = new PartProof(
                worst.state(),
                worst.reason(),
                0,
                bytes,
                parts.stream().mapToLong(PartProof::chunks).sum(),
                parts.stream().mapToLong(PartProof::differing).sum(),
                worst.offset(),
                worst.length());
        return new FileProof(path, bytes, sum);
    }

    /** Whether every byte was proved; not so if tasks read different manifests. */
    private static boolean follow(long bytes, List<PartProof> parts) {
        long end = 0;
        for (PartProof part : parts.stream()
                .filter(part -> part.chunks() > 0)
                .sorted(Comparator.comparingLong(PartProof::from))
                .toList()) {
            if (part.from() != end) {
                return false;
            }
            end = part.to();
        }
        return end == bytes;
    }

    ProofState state() {
        return sum.state();
    }

    /** Writes it as {@link #read} reads it. */
    void write(DataOutput out) throws IOException {
        out.writeUTF(path.toString());
        out.writeLong(bytes);
        sum.write(out);
    }

    static FileProof read(DataInput in) throws IOException {
        return new FileProof(new Path(in.readUTF()), in.readLong(), PartProof.read(in));
    }
}
