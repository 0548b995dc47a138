// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import java.util.BitSet;
import java.util.Random;

/** On which days of many something is wrong: drawn at once, so that a seed gives them again. */
final class Troubles {

    private static final double OFTEN = 0.04;
    private static final int MOST_DAYS = 3;
    /** An image is encrypted when enough days have shown what is usual, and not while something else is wrong. */
    private static final int FIRST_ENCRYPTION = 45;

    private static final int BETWEEN_ENCRYPTIONS = 120;
    private static final int BETWEEN_SETTINGS = 70;

    private final BitSet agent;
    private final BitSet second;
    private final BitSet daemon;
    private final BitSet unreadable;

    Troubles(Random random, int days) {
        this.agent = some(random, days, 2);
        this.second = some(random, days, MOST_DAYS);
        this.daemon = some(random, days, MOST_DAYS);
        this.unreadable = some(random, days, 1);
        for (int day = FIRST_ENCRYPTION; day < days; day += BETWEEN_ENCRYPTIONS) {
            agent.clear(day - 1, day + 2);
            daemon.clear(day - 1, day + 2);
        }
    }

    private static BitSet some(Random random, int days, int mostAtOnce) {
        BitSet set = new BitSet();
        for (int day = 2; day < days; day++) {
            if (random.nextDouble() < OFTEN) {
                set.set(day, day + 1 + random.nextInt(mostAtOnce));
            }
        }
        return set;
    }

    boolean agentIsDown(int day) {
        return agent.get(day);
    }

    boolean secondIsDown(int day) {
        return second.get(day);
    }

    boolean daemonIsDown(int day) {
        return daemon.get(day);
    }

    boolean imageIsUnreadable(int day) {
        return unreadable.get(day);
    }

    boolean imageIsEncrypted(int day) {
        return day % BETWEEN_ENCRYPTIONS == FIRST_ENCRYPTION;
    }

    boolean clockIsSetBack(int day) {
        return day % BETWEEN_SETTINGS == BETWEEN_SETTINGS / 2;
    }
}
