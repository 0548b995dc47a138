// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.alert;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Sixty nights of many machines: of quiet ones, of updates, and of files being encrypted. */
class UsualChangeTest {

    private static final long IMAGE = 100L << 30;
    private static final int NIGHTS = 60;
    private static final int MACHINES = 200;

    /** A night's new share: around one to four per cent, now and then an update or a dump that was not there before. */
    private static double share(Random random, double usual) {
        double share = usual * Math.exp(random.nextGaussian() * 0.6);
        return random.nextInt(20) == 0 ? share + 0.05 + 0.1 * random.nextDouble() : share;
    }

    /** What new bytes are when compressed: from logs to pictures, which don't compress at all. */
    private static double stored(Random random) {
        return 0.35 + 0.65 * random.nextDouble();
    }

    private static boolean night(UsualChange change, double share, double stored) {
        long fresh = (long) (IMAGE * Math.min(1, share));
        return change.isUnlike(IMAGE, fresh, (long) (fresh * stored));
    }

    @Test
    void encryptionIsFoundTheFirstNightAndQuietMonthsRaiseAsGoodAsNothing() {
        int all = 0;
        for (int machine = 0; machine < MACHINES; machine++) {
            Random random = new Random(machine);
            double usual = 0.01 + 0.03 * random.nextDouble();
            UsualChange change = new UsualChange(List.of());
            int attacked = 20 + random.nextInt(NIGHTS - 20);
            boolean found = false;
            int falseAlarms = 0;
            for (int night = 0; night < NIGHTS; night++) {
                if (night == attacked) {
                    // Two thirds of the machine's files at least; encrypted ones are as random.
                    found = night(change, 0.66 + 0.3 * random.nextDouble(), 1.0);
                } else if (night(change, share(random, usual), stored(random))) {
                    falseAlarms++;
                }
            }
            assertThat(found).as("machine %d is told of", machine).isTrue();
            assertThat(falseAlarms).as("false alarms of machine %d", machine).isLessThanOrEqualTo(1);
            all += falseAlarms;
        }
        assertThat(all).as("false alarms of all machines").isLessThanOrEqualTo(MACHINES / 20);
    }

    @Test
    void aMachineThatIsInstalledAnewCompresses() {
        UsualChange change = new UsualChange(List.of(0.01, 0.02, 0.01, 0.01, 0.02));
        assertThat(night(change, 0.9, 0.5)).isFalse();
    }

    @Test
    void withoutNightsBeforeNothingIsUnusual() {
        UsualChange change = new UsualChange(List.of());
        assertThat(night(change, 1, 1)).isFalse();
        assertThat(change.shares()).hasSize(1);
    }

    @Test
    void aNightThatStandsOutIsNoMeasureForTheNext() {
        UsualChange change = new UsualChange(List.of(0.01, 0.02, 0.01, 0.01, 0.02));
        assertThat(night(change, 0.5, 1)).isTrue();
        assertThat(night(change, 0.5, 1)).isTrue();
        assertThat(change.shares()).hasSize(5);
    }
}
