// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

/** How the parts of a file come together, in whatever order tasks tell of them. */
class FileProofTest {

    private static final PartProof FIRST = proved(0, 60, 3);
    private static final PartProof SECOND = proved(60, 100, 2);
    private static final PartProof EMPTY = proved(0, 0, 0);

    private static PartProof proved(long from, long to, long chunks) {
        return new PartProof(ProofState.VERIFIED, "", from, to, chunks, 0, 0, 0);
    }

    private static PartProof damaged(long from, long to, long offset) {
        return new PartProof(ProofState.DAMAGED, "", from, to, 2, 1, offset, 7);
    }

    private static FileProof of(PartProof... parts) {
        return FileProof.of(new Path("hdfs://cluster/a"), 100, List.of(parts));
    }

    @Test
    void partsThatFollowEachOtherAreTheFile() {
        FileProof whole = of(SECOND, EMPTY, FIRST);
        assertThat(whole.state()).isEqualTo(ProofState.VERIFIED);
        assertThat(whole.sum().chunks()).isEqualTo(5);
    }

    @Test
    void aByteThatNobodyReadIsNotVerified() {
        assertThat(of(FIRST).state()).isEqualTo(ProofState.FAILED);
        assertThat(of(FIRST, proved(61, 100, 2)).sum().reason()).contains("it was changed while it was verified");
        assertThat(of(proved(0, 61, 3), SECOND).state()).isEqualTo(ProofState.FAILED);
        assertThat(of().state()).isEqualTo(ProofState.FAILED);
    }

    @Test
    void theWorstPartIsTheFilesAndTheFirstChunkThatDiffersIsNamed() {
        PartProof stale = PartProof.without(ProofState.STALE, "the blocks differ");
        assertThat(of(FIRST, stale).state()).isEqualTo(ProofState.STALE);
        FileProof bad = of(stale, damaged(60, 100, 80), damaged(0, 60, 20));
        assertThat(bad.state()).isEqualTo(ProofState.DAMAGED);
        assertThat(bad.sum().offset()).isEqualTo(20);
        assertThat(bad.sum().differing()).isEqualTo(2);
    }
}
