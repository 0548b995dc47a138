// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.text;

import io.shredder.backup.keepers.KeeperState;
import io.shredder.backup.keepers.KeeperState.Condition;
import io.shredder.backup.keepers.KeepersState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** How the keepers of an agent's store look to a reader. */
public final class KeepersText {

    private static final int MOST_NAMED = 4;

    private KeepersText() {}

    /** For {@code --json}: keys stay as they are. What the agent doesn't tell this client is left out. */
    public static Map<String, Object> json(KeepersState state) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("data", state.data());
        json.put("parity", state.parity());
        json.put("epoch", state.epoch());
        json.put("writable", state.writable());
        json.put("readable", state.readable());
        json.put("spareToWrite", state.spareToWrite());
        json.put("spareToRead", state.spareToRead());
        json.put("undecidedFiles", state.undecided());
        List<Map<String, Object>> keepers = new ArrayList<>();
        for (KeeperState keeper : state.keepers()) {
            keepers.add(json(keepers.size(), keeper));
        }
        json.put("keepers", keepers);
        return json;
    }

    private static Map<String, Object> json(int place, KeeperState keeper) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("place", place);
        json.put("state", keeper.condition().word());
        if (!keeper.home().isEmpty()) {
            json.put("home", keeper.home());
        }
        if (!keeper.why().isEmpty()) {
            json.put("why", keeper.why());
        }
        keeper.since().ifPresent(since -> json.put("since", since.toString()));
        json.put("lackingFiles", keeper.lacking());
        json.put("damagedPlaces", keeper.damaged());
        if (keeper.condition() == Condition.FILLING || keeper.toFillBytes() > 0) {
            json.put("filledBytes", keeper.filledBytes());
            json.put("toFillBytes", keeper.toFillBytes());
        }
        return json;
    }

    /** A line on the store, and one for each keeper. */
    public static List<String> lines(KeepersState state) {
        List<String> lines = new ArrayList<>();
        lines.add("keepers:    " + state.data() + " + " + state.parity() + ", epoch " + state.epoch() + "; "
                + survives(state));
        int place = 0;
        for (KeeperState keeper : state.keepers()) {
            lines.add(String.format(Locale.ROOT, "%-12s", "keeper " + place++ + ":") + line(keeper));
        }
        return lines;
    }

    private static String line(KeeperState keeper) {
        StringBuilder line = new StringBuilder(keeper.condition().words());
        keeper.since().ifPresent(since -> line.append(" since ").append(since));
        if (!keeper.home().isEmpty()) {
            line.append(", ").append(keeper.home());
        }
        List<String> more = new ArrayList<>();
        if (keeper.condition() == Condition.FILLING) {
            more.add(filled(keeper));
        } else if (!keeper.why().isEmpty()) {
            more.add(keeper.why());
        }
        if (keeper.lacking() > 0) {
            boolean isGiven = keeper.condition() == Condition.WHOLE && keeper.toFillBytes() > 0;
            more.add("lacks " + keeper.lacking() + " files" + (isGiven ? ", of which it got " + filled(keeper) : ""));
        }
        if (keeper.damaged() > 0) {
            more.add(keeper.damaged() + " places are damaged");
        }
        return more.isEmpty() ? line.toString() : line + ": " + String.join("; ", more);
    }

    private static String filled(KeeperState keeper) {
        return SnapshotText.size(keeper.filledBytes()) + " of " + SnapshotText.size(keeper.toFillBytes());
    }

    /** One line on how the store stands, whether it is whole or not. */
    public static String summary(KeepersState state) {
        return warning(state).orElseGet(() -> "all " + state.keepers().size() + " are whole: " + survives(state));
    }

    /** One line that names what is not as it should be, and what the store survives all the same. */
    public static Optional<String> warning(KeepersState state) {
        if (state.isSound()) {
            return Optional.empty();
        }
        List<String> named = new ArrayList<>();
        int place = 0;
        for (KeeperState keeper : state.keepers()) {
            if (!keeper.isSound()) {
                named.add(what(place, keeper));
            }
            place++;
        }
        String more = named.size() > MOST_NAMED ? " and " + (named.size() - MOST_NAMED) + " more are not whole" : "";
        String some = named.stream().limit(MOST_NAMED).collect(Collectors.joining(", ")) + more;
        return Optional.of((some.isEmpty() ? "" : some + ": ") + survives(state));
    }

    private static String what(int place, KeeperState keeper) {
        String name = "keeper " + place + (keeper.home().isEmpty() ? "" : " (" + keeper.home() + ")");
        if (keeper.condition() != Condition.WHOLE) {
            return name + " is " + keeper.condition().words();
        }
        return keeper.damaged() > 0
                ? name + " has " + keeper.damaged() + " damaged places"
                : name + " lacks " + keeper.lacking() + " files";
    }

    private static String survives(KeepersState state) {
        if (!state.readable()) {
            return "not all of the store can be read"
                    + (state.undecided() == 0
                            ? ""
                            : ", of " + state.undecided() + " files it can't be told what counts:"
                                    + " 'backup-agent check-keepers' names them");
        }
        String reads = "the store survives " + state.spareToRead() + " more, ";
        if (state.writable()) {
            return reads + "backups survive " + state.spareToWrite() + " more";
        }
        return reads + "backups can't go on: "
                + (state.epoch() == 0
                        ? "too few keepers were there when the agent started"
                        : state.leastToChange() + " keepers must take changes");
    }
}
