// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.snapshot.SnapshotName;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who waits for memory is woken when there is some for it, in the order in which they came. */
class ByteBudgetTest {

    private static final SnapshotName FIRST = new SnapshotName("first");

    private final ByteBudget budget = new ByteBudget(100);
    private final List<String> woken = new ArrayList<>();

    private boolean tryTake(String client, long bytes) {
        return budget.tryTake(new SnapshotName(client), bytes, client, () -> woken.add(client));
    }

    /** Until nobody else may have more than ten bytes. */
    private void fill() {
        assertThat(budget.tryTake(FIRST, 40, this, () -> {})).isTrue();
        for (int i = 0; i < 4; i++) {
            assertThat(tryTake("other" + i, 10)).isTrue();
        }
    }

    @Test
    void onlyThoseAreWokenForWhomThereIsRoom() {
        fill();
        for (int i = 0; i < 50; i++) {
            assertThat(tryTake("waits" + i, 15)).isFalse();
        }
        budget.giveBack(FIRST, 20);
        assertThat(woken).containsExactly("waits0");
    }

    @Test
    void whoWaitsIsWokenOnceHoweverOftenItHasAsked() {
        fill();
        for (int i = 0; i < 3; i++) {
            assertThat(tryTake("waits", 15)).isFalse();
        }
        budget.giveBack(FIRST, 40);
        assertThat(woken).containsExactly("waits");
    }

    @Test
    void whoNeedsLessIsNotHeldUpByWhoNeedsMore() {
        fill();
        assertThat(tryTake("much", 60)).isFalse();
        assertThat(tryTake("little", 12)).isFalse();
        budget.giveBack(FIRST, 10);
        assertThat(woken).containsExactly("little");
    }

    @Test
    void whoHasGoneIsNotWoken() {
        fill();
        assertThat(tryTake("gone", 15)).isFalse();
        assertThat(tryTake("next", 15)).isFalse();
        budget.forget("gone");
        budget.giveBack(FIRST, 20);
        assertThat(woken).containsExactly("next");
    }

    @Test
    void whatAWokenOneDoesNotTakeIsForTheNext() {
        fill();
        assertThat(tryTake("gone", 15)).isFalse();
        assertThat(tryTake("next", 15)).isFalse();
        budget.giveBack(FIRST, 20);
        budget.wake();
        assertThat(woken).containsExactly("gone", "next");
    }
}
