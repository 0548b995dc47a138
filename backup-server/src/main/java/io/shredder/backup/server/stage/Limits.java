// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.stage;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What of a backup or restore limited it: the stage whose threads were busy most of the time, or who the last of them
 * waited for.
 */
public final class Limits {

    private static final int MOST_NAMED = 4;

    /** What took this share of the time of all who could have worked on. */
    private record Share(String what, double share) {

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%s %.0f %%", what, 100 * share);
        }
    }

    private Limits() {}

    /**
     * The largest shares first, in words. Stages that wait for those behind them have small ones; the last waits for
     * the agent, or the way to it.
     *
     * @param elapsedSeconds of all
     */
    public static String text(List<StageTime.Figures> stages, double elapsedSeconds) {
        List<Share> shares = new ArrayList<>();
        for (StageTime.Figures stage : stages) {
            double all = stage.threads() * elapsedSeconds;
            String threads = stage.threads() == 1 ? "" : " (" + stage.threads() + " threads)";
            shares.add(new Share(stage.name() + threads, stage.busySeconds() / all));
            stage.roomAt().ifPresent(who -> shares.add(new Share("waiting for " + who, stage.roomSeconds() / all)));
        }
        return shares.stream()
                .sorted(Comparator.comparingDouble(Share::share).reversed())
                .limit(MOST_NAMED)
                .map(Share::toString)
                .collect(Collectors.joining(", "));
    }
}
