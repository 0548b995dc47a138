// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.scrub;

import io.shredder.backup.agent.dispersal.Keeper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a scrub has found until now. For one thread. */
final class ScrubTally {

    private final boolean mends;
    private final Scrub.Progress progress;
    private final long totalBytes;
    private final List<KeeperFinding> findings = new ArrayList<>();
    private final List<String> unreadable = new ArrayList<>();
    private final Map<Integer, String> away = new TreeMap<>();
    private final Map<Integer, String> filling = new TreeMap<>();
    private long files;
    private long bytes;

    /**
     * Begins.
     *
     * @param totalBytes that are to be read
     */
    ScrubTally(boolean mends, Scrub.Progress progress, long totalBytes) {
        this.mends = mends;
        this.progress = progress;
        this.totalBytes = totalBytes;
    }

    /** A step that makes a keeper's file anew. */
    interface Mending {
        void run() throws IOException;
    }

    /** Notes a file's findings at a keeper, once they are mended, if that is asked for and possible. */
    void found(Keeper keeper, List<KeeperFinding> wrong, boolean canMend, Mending mending) {
        boolean mended = false;
        if (mends && canMend && !wrong.isEmpty()) {
            try {
                mending.run();
                mended = true;
            } catch (IOException e) {
                unreadable.add("keeper " + keeper + " could not be mended: " + e.getMessage());
            }
        }
        for (KeeperFinding each : wrong) {
            findings.add(each.with(mended));
        }
    }

    /** Notes what was found, and mended or not, before. */
    void found(List<KeeperFinding> before) {
        findings.addAll(before);
    }

    void unreadable(String what) {
        unreadable.add(what);
    }

    void filling(int keeper, String why) {
        filling.put(keeper, why);
    }

    void away(int keeper, String why) {
        away.putIfAbsent(keeper, why);
    }

    void read(long more) {
        bytes += more;
        progress.at(bytes, totalBytes);
    }

    void fileChecked() {
        files++;
    }

    ScrubReport report(int keepers) {
        return new ScrubReport(keepers, away, filling, findings, unreadable, files, bytes);
    }
}
