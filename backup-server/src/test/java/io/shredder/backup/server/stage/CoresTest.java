// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CoresTest {

    private static final long MIB = 1 << 20;

    @Test
    void twoCoresTakeWhatFitsIntoASmallMachine() {
        Cores two = Cores.of(2, 2, 192 * MIB);
        assertThat(two.count()).isEqualTo(2);
        assertThat(two.preparing()).as("the caller's thread alone").isEqualTo(1);
        assertThat(two.groupsWaiting()).isEqualTo(4);
        assertThat(two.opening(false)).isEqualTo(2);
        assertThat(two.opening(true)).isEqualTo(3);
        assertThat(two.chunkConnections()).isZero();
    }

    @Test
    void moreCoresTakeMore() {
        Cores sixteen = Cores.of(16, 16, 640 * MIB);
        assertThat(sixteen.count()).isEqualTo(16);
        assertThat(sixteen.preparing()).isEqualTo(5);
        assertThat(sixteen.groupsWaiting()).isEqualTo(16);
        assertThat(sixteen.opening(true)).isEqualTo(17);
        assertThat(sixteen.chunkConnections()).isEqualTo(4);
    }

    @Test
    void nobodyTakesMoreThanIsAllowedOrThereOrHasMemory() {
        assertThat(Cores.of(4, 16, 640 * MIB).count()).isEqualTo(4);
        assertThat(Cores.of(64, 16, 640 * MIB).count()).isEqualTo(16);
        assertThat(Cores.of(16, 16, 192 * MIB).count()).isEqualTo(6);
        assertThat(Cores.of(16, 16, 1 * MIB).count()).isEqualTo(1);
        assertThatThrownBy(() -> new Cores(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void imagesAtOnceHaveTheConnectionsThatAnAgentGivesAClientAndShorterGroups() {
        Cores all = Cores.of(64, 64, 4096 * MIB);
        for (int images = 1; images <= 64; images++) {
            Cores each = all.among(images);
            assertThat(each.count()).isEqualTo(Math.min(64, 256 / images));
            assertThat(images * each.chunkConnections() + Math.min(images, 16)).isLessThanOrEqualTo(16);
            assertThat(each.upTo(3).count()).isEqualTo(3);
        }
        assertThat(Cores.of(2, 2, 368 * MIB).among(1).groupBytes()).isEqualTo(4 << 20);
        assertThat(Cores.of(2, 2, 368 * MIB).among(2).groupBytes()).isBetween(1 << 20, 4 << 20);
        assertThat(Cores.of(2, 2, 368 * MIB).among(64).groupBytes()).isEqualTo(512 << 10);
    }

    @Test
    void groupsOfImagesAtOnceTakeNoMoreMemoryThanThoseOfOneThatIsAlone() {
        Cores all = Cores.of(16, 16, 4096 * MIB);
        long alone = (16 + all.groupsWaiting() + 1) * (long) all.groupBytes();
        for (int images : new int[] {2, 4, 8, 16, 32}) {
            FairShares shares = new FairShares(16);
            List<FairShares.Share> joined = Stream.generate(() -> shares.join(FairShares.USUAL_WEIGHT))
                    .limit(images)
                    .toList();
            long groups = joined.stream()
                    .map(share -> CoresShare.beside(all.among(images), share))
                    .mapToInt(share -> share.sealing() + share.groupsWaiting() + 1)
                    .sum();
            assertThat(groups * all.among(images).groupBytes())
                    .as("%d images", images)
                    .isLessThanOrEqualTo(alone);
        }
    }
}
