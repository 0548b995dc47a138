// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.backup;

import static io.shredder.backup.seal.RegionSealer.Effort.QUICK;
import static io.shredder.backup.seal.RegionSealer.Effort.THOROUGH;
import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.seal.RegionSealer.Effort;
import io.shredder.backup.server.stage.Cores;
import io.shredder.backup.server.stage.CoresShare;
import io.shredder.backup.server.stage.StageTime;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SealingEffortTest {

    private static final int CORES = 4;

    private final StageTime sealing = new StageTime("sealing");
    private long nowNs;
    private long cpuNs;
    private OptionalLong idleNs = OptionalLong.empty();
    private final SealingEffort effort =
            new SealingEffort(sealing, CoresShare.alone(new Cores(CORES)), () -> nowNs, () -> cpuNs, () -> idleNs);

    /** From the first group on it looks at what limits. */
    @BeforeEach
    void theFirstGroupComes() {
        assertThat(ofNew(false)).isEqualTo(QUICK);
    }

    private Effort ofNew(boolean othersWait) {
        return effort.of(512, 0, othersWait);
    }

    /** A second in which this program had so many of its cores. */
    private void second(double cores) {
        passes(1_000_000_000, cores);
    }

    private void passes(long ns, double cores) {
        nowNs += ns;
        cpuNs += (long) (cores * ns);
    }

    @Test
    void whereLittleIsNewItIsCompressedThoroughly() {
        second(CORES);
        assertThat(effort.of(512, 384, true)).isEqualTo(THOROUGH);
        assertThat(effort.of(512, 383, true)).isEqualTo(QUICK);
        assertThat(effort.of(0, 0, true)).isEqualTo(THOROUGH);
    }

    @Test
    void anEmptyPipeMeansNothingWhileTheCoresAreBusy() {
        second(3);
        assertThat(ofNew(false)).isEqualTo(QUICK);
        assertThat(ofNew(true)).isEqualTo(QUICK);
    }

    @Test
    void coresThatAreIdleCompressThoroughlyWhatNothingElseWaitsFor() {
        second(1);
        assertThat(ofNew(false)).isEqualTo(THOROUGH);
        assertThat(ofNew(true)).isEqualTo(QUICK);
        second(3);
        assertThat(ofNew(false)).as("they are busy now").isEqualTo(QUICK);
    }

    @Test
    void asLongAsNobodyKnowsWhatLimitsItIsQuick() {
        assertThat(ofNew(false)).isEqualTo(QUICK);
    }

    @Test
    void whoWaitsForTheAgentMayAsWellCompressThoroughly() {
        second(3);
        sealing.awaitedRoom(CORES * 250_000_000L);
        assertThat(ofNew(true)).isEqualTo(THOROUGH);
        second(3);
        sealing.awaitedRoom(CORES * 240_000_000L);
        assertThat(ofNew(true)).as("less than a quarter of the last second").isEqualTo(QUICK);
    }

    @Test
    void whoWaitsForTheAgentNowAndThenIsQuick() {
        for (int quarter = 1; quarter <= 40; quarter++) {
            passes(250_000_000, 2.5);
            boolean waits = quarter % 4 != 0;
            sealing.awaitedRoom(waits ? CORES * 100_000_000L : 0);
            assertThat(ofNew(quarter % 2 == 0)).as("quarter %d", quarter).isEqualTo(QUICK);
        }
    }

    @Test
    void coresThatAreIdleForAMomentAreNot() {
        for (int quarter = 1; quarter <= 40; quarter++) {
            passes(250_000_000, quarter % 4 == 0 ? CORES : 0.5);
            assertThat(ofNew(false)).as("quarter %d", quarter).isEqualTo(QUICK);
        }
    }

    @Test
    void whatLimitsForASecondCountsUntilItNoLongerDoes() {
        for (int quarter = 1; quarter <= 8; quarter++) {
            passes(250_000_000, 2.5);
            sealing.awaitedRoom(CORES * 100_000_000L);
            assertThat(ofNew(true)).as("quarter %d", quarter).isEqualTo(quarter < 4 ? QUICK : THOROUGH);
        }
        passes(250_000_000, CORES);
        assertThat(ofNew(true)).as("nobody waits any more").isEqualTo(QUICK);
        passes(250_000_000, 2.5);
        sealing.awaitedRoom(CORES * 100_000_000L);
        assertThat(ofNew(true)).as("again, but not for a second").isEqualTo(QUICK);
    }

    @Test
    void whileNothingHasComeYetIdleCoresSayNothing() {
        SealingEffort fresh =
                new SealingEffort(sealing, CoresShare.alone(new Cores(CORES)), () -> nowNs, () -> cpuNs, () -> idleNs);
        second(0.5);
        assertThat(fresh.of(512, 0, false)).isEqualTo(QUICK);
        second(CORES);
        assertThat(fresh.of(512, 0, false)).isEqualTo(QUICK);
    }

    @Test
    void whoWaitsForAnAgentThatHasNoCoreEitherIsQuick() {
        idleNs = OptionalLong.of(7_000_000_000L);
        second(3);
        assertThat(ofNew(true)).isEqualTo(QUICK);
        sealing.awaitedRoom(CORES * 500_000_000L);
        idleNs = OptionalLong.of(7_990_000_000L);
        second(3);
        assertThat(ofNew(true)).as("less than a quarter of the cores was idle").isEqualTo(QUICK);
        sealing.awaitedRoom(CORES * 500_000_000L);
        idleNs = OptionalLong.of(8_990_000_000L);
        second(3);
        assertThat(ofNew(true)).as("a quarter was").isEqualTo(THOROUGH);
    }

    @Test
    void coresThatTheAgentComputesOnAreNotIdle() {
        idleNs = OptionalLong.of(7_000_000_000L);
        second(1);
        assertThat(ofNew(true)).isEqualTo(QUICK);
        idleNs = OptionalLong.of(8_990_000_000L);
        second(1);
        assertThat(ofNew(false)).as("less than half of the cores were idle").isEqualTo(QUICK);
        idleNs = OptionalLong.of(10_990_000_000L);
        second(1);
        assertThat(ofNew(false)).as("half were").isEqualTo(THOROUGH);
    }

    @Test
    void coresThatThisProgramComputesOnAreNotIdleWhateverIsCounted() {
        idleNs = OptionalLong.of(7_000_000_000L);
        second(3);
        assertThat(ofNew(true)).isEqualTo(QUICK);
        idleNs = OptionalLong.of(11_000_000_000L);
        second(3);
        assertThat(ofNew(false)).isEqualTo(QUICK);
    }

    @Test
    void whatWasCompressedHowIsCounted() {
        effort.compressed(QUICK, 100);
        effort.compressed(THOROUGH, 10);
        effort.compressed(QUICK, 1);
        assertThat(effort.plainBytes())
                .containsOnly(java.util.Map.entry(QUICK, 101L), java.util.Map.entry(THOROUGH, 10L));
    }
}
