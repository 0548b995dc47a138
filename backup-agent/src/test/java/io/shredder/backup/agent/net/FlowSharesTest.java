// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.snapshot.SnapshotName;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class FlowSharesTest {

    private static final int TOTAL = 16 << 20;

    private final AtomicLong clockNs = new AtomicLong(Long.MAX_VALUE - 1000);
    private final FlowShares shares = new FlowShares(TOTAL, clockNs::get);

    private List<FlowShares.Share> clients(int count) {
        List<FlowShares.Share> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(join("client" + i));
        }
        return all;
    }

    private FlowShares.Share join(String client) {
        return shares.join(new SnapshotName(client));
    }

    /** All are used, and a second later again. */
    private void use(List<FlowShares.Share> all) {
        all.forEach(FlowShares.Share::used);
        clockNs.addAndGet(TimeUnit.SECONDS.toNanos(1));
        all.forEach(FlowShares.Share::used);
    }

    @Test
    void aClientAloneHasNoLimitAndIsToldNone() {
        FlowShares.Share alone = join("alone");
        for (int i = 0; i < 5; i++) {
            clockNs.addAndGet(TimeUnit.SECONDS.toNanos(1));
            assertThat(alone.used()).isEmpty();
        }
        assertThat(alone.bytes()).isEqualTo(FlowShares.NO_LIMIT);
    }

    @Test
    void aClientAloneHasNoLimitHoweverManyConnectionsItHas() {
        List<FlowShares.Share> all = List.of(join("one"), join("one"), join("one"));
        use(all);
        assertThat(all).allMatch(share -> share.bytes() == FlowShares.NO_LIMIT);
    }

    @Test
    void clientsHaveTheSameShareInPowersOfTwo() {
        List<FlowShares.Share> all = clients(5);
        use(all);
        assertThat(all).allMatch(share -> share.bytes() == 2 << 20);
    }

    @Test
    void aClientOfManyConnectionsHasNoMoreThanOneOfOne() {
        List<FlowShares.Share> all = new ArrayList<>(clients(1));
        for (int i = 0; i < 8; i++) {
            all.add(join("many"));
        }
        use(all);
        assertThat(all.get(0).bytes()).isEqualTo(TOTAL / 2);
        assertThat(all.subList(1, 9)).allMatch(share -> share.bytes() == TOTAL / 2 / 8);
    }

    @Test
    void whoOnlyIsConnectedTakesNothingFromOthers() {
        clients(50);
        List<FlowShares.Share> busy = List.of(join("a"), join("b"));
        use(busy);
        assertThat(busy).allMatch(share -> share.bytes() == TOTAL / 2);
    }

    @Test
    void theShareGrowsAgainWhenOthersHaveStopped() {
        List<FlowShares.Share> all = clients(4);
        use(all);
        assertThat(all.get(0).bytes()).isEqualTo(TOTAL / 4);
        all.get(3).close();
        clockNs.addAndGet(TimeUnit.SECONDS.toNanos(1));
        all.get(0).used();
        clockNs.addAndGet(TimeUnit.SECONDS.toNanos(1));
        assertThat(all.get(0).used()).isEqualTo(OptionalInt.of(FlowShares.NO_LIMIT));
    }

    @Test
    void everyoneIsToldOnceWhenItChanges() {
        List<FlowShares.Share> all = clients(3);
        all.forEach(share -> assertThat(share.used()).isEmpty());
        clockNs.addAndGet(TimeUnit.SECONDS.toNanos(1));
        all.forEach(share -> assertThat(share.used()).hasValue(4 << 20));
        all.forEach(share -> assertThat(share.used()).isEmpty());
    }

    @Test
    void veryManyHaveRoomForARequestEach() {
        List<FlowShares.Share> all = clients(10_000);
        use(all);
        assertThat(all).allMatch(share -> share.bytes() == 256 << 10);
    }
}
