// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.running;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.Sets;
import io.shredder.backup.server.source.NbdUri;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Disks of a machine of QEMU's at one moment. Of each disk, in one transaction: a new bitmap begins, the bitmap of the
 * last snapshot is copied, and a job begins that copies what is about to be overwritten to a scratch file. The scratch
 * file, behind which the disk lies, is what is exported, with the copied bitmap. Bitmaps of before record on until
 * there is a snapshot of this moment, so a backup that fails costs nothing.
 */
final class QmpPoint implements MachinePoint {

    private static final Logger LOG = LoggerFactory.getLogger(QmpPoint.class);

    /** So small that little is read of what a machine didn't write; 8 MiB of QEMU's memory for a disk of 1 TiB. */
    private static final int GRANULARITY_BYTES = 16 << 10;

    private final QmpConnection qmp;
    private final List<Held> held;
    private final Moment moment;
    private final MachineScratch scratch;
    private final Set<String> kept = new HashSet<>();
    private final List<String> warnings = new ArrayList<>();
    private final Deque<Undo> undo = new ArrayDeque<>();
    private Optional<Duration> frozen = Optional.empty();
    private boolean closed;

    /** Takes back one thing. */
    private interface Undo {
        void run() throws IOException;
    }

    /**
     * A disk that is to be held.
     *
     * @param id what block nodes, jobs and copies of bitmaps are called that belong to it
     */
    record Held(DiskPlan plan, QmpDisk disk, String id) {

        /** The bitmap of the last snapshot, if it is there. */
        Optional<QmpDisk.Bitmap> last() {
            return plan.lastPoint().flatMap(last -> disk.bitmaps().stream()
                    .filter(bitmap -> bitmap.name().equals(plan.bitmap(last)))
                    .findFirst());
        }

        Optional<QmpDisk.Bitmap> usable() {
            return last().filter(bitmap -> bitmap.wrong().isEmpty());
        }

        private String whyNot() {
            Optional<String> wrong = last().flatMap(QmpDisk.Bitmap::wrong);
            if (wrong.isPresent()) {
                return "the bitmap of the last snapshot " + wrong.get();
            }
            boolean others =
                    disk.bitmaps().stream().anyMatch(each -> each.name().startsWith(plan.prefix()));
            return "disk " + plan.disk() + " has no bitmap of the last snapshot, "
                    + (others
                            ? "only of others"
                            : disk.keepsBitmaps()
                                    ? "which somebody took away, or left behind in a snapshot of QEMU's"
                                    : "since its format keeps none when the machine ends");
        }
    }

    /** With nothing held yet. */
    QmpPoint(QmpConnection qmp, List<Held> held, Moment moment, MachineScratch scratch) {
        this.qmp = qmp;
        this.held = List.copyOf(held);
        this.moment = moment;
        this.scratch = scratch;
        undo.push(scratch::close);
        undo.push(() -> this.held.forEach(disk -> QmpLeftOvers.forget(disk.id())));
    }

    /** Holds the disks; if that fails, closing takes back what was done. */
    void take(MachineAccess access) throws IOException {
        for (Held disk : held) {
            Path file = scratch.image(disk.id(), disk.disk().bytes());
            qmp.ask(
                    "blockdev-add",
                    Map.of(
                            "driver", "qcow2",
                            "node-name", disk.id(),
                            "file", Map.of("driver", "file", "filename", file.toString()),
                            "backing", disk.disk().node()));
            undo.push(() -> qmp.ask("blockdev-del", Map.of("node-name", disk.id())));
        }
        undo.push(this::letGo); // Before the jobs begin: they may also if no answer says so in time.
        FrozenGuest guest = FrozenGuest.freeze(access);
        guest.failure().ifPresent(warnings::add);
        try {
            qmp.ask("transaction", Map.of("actions", actions()));
        } finally {
            thaw(guest);
            frozen = guest.frozen();
        }
        qmp.ask(
                "nbd-server-start",
                Map.of(
                        "addr",
                        Map.of(
                                "type",
                                "unix",
                                "data",
                                Map.of("path", scratch.socket().toString()))));
        undo.push(() -> qmp.ask("nbd-server-stop"));
        for (Held disk : held) {
            qmp.ask(
                    "block-export-add",
                    Map.of(
                            "type", "nbd",
                            "id", disk.id(),
                            "node-name", disk.id(),
                            "name", disk.id(),
                            "bitmaps",
                                    disk.usable()
                                            .map(bitmap -> List.of(disk.id()))
                                            .orElse(List.of())));
        }
    }

    private void thaw(FrozenGuest guest) {
        try {
            guest.close();
        } catch (IOException e) {
            warnings.add("the guest did not say that its file systems are thawed: " + e.getMessage()
                    + "; if it hangs, run 'fsfreeze -u' in it");
        }
    }

    private List<Map<String, Object>> actions() {
        List<Map<String, Object>> actions = new ArrayList<>();
        for (Held disk : held) {
            String node = disk.disk().node();
            actions.add(action(
                    "block-dirty-bitmap-add",
                    Map.of(
                            "node",
                            node,
                            "name",
                            disk.plan().bitmap(moment.point()),
                            "granularity",
                            GRANULARITY_BYTES,
                            "persistent",
                            disk.disk().keepsBitmaps())));
            disk.usable().ifPresent(last -> {
                actions.add(action(
                        "block-dirty-bitmap-add",
                        Map.of("node", node, "name", disk.id(), "granularity", last.granularity(), "disabled", true)));
                actions.add(action(
                        "block-dirty-bitmap-merge",
                        Map.of("node", node, "target", disk.id(), "bitmaps", List.of(last.name()))));
            });
            actions.add(action(
                    "blockdev-backup",
                    Map.of("job-id", disk.id(), "device", node, "target", disk.id(), "sync", "none")));
        }
        return actions;
    }

    private static Map<String, Object> action(String type, Map<String, Object> data) {
        return Map.of("type", type, "data", data);
    }

    /** Ends the jobs, and takes away the bitmaps that are of no use any more. */
    private void letGo() throws IOException {
        Set<String> running = runningOrUnknown();
        for (Held disk : held) {
            if (running.contains(disk.id())) {
                attempt(() -> qmp.ask("block-job-cancel", Map.of("device", disk.id(), "force", true)));
            }
        }
        attempt(() -> qmp.await("query-block-jobs", jobs -> Collections.disjoint(running(jobs), running)));
        for (Held disk : held) {
            boolean isKept = kept.contains(disk.plan().disk());
            disk.usable().ifPresent(last -> removeBitmap(disk, disk.id()));
            for (QmpDisk.Bitmap bitmap : disk.disk().bitmaps()) {
                boolean isOurs = bitmap.name().startsWith(disk.plan().prefix());
                boolean isLast = disk.usable().filter(bitmap::equals).isPresent();
                if (isOurs && (isKept || !isLast)) {
                    removeBitmap(disk, bitmap.name());
                }
            }
        }
    }

    /** Jobs that hold our disks; all that may, if QEMU doesn't say: what it is asked it does in order, if late. */
    private Set<String> runningOrUnknown() {
        Set<String> all = held.stream().map(Held::id).collect(Collectors.toSet());
        try {
            return Sets.intersection(running(qmp.ask("query-block-jobs")), all).immutableCopy();
        } catch (IOException e) {
            LOG.warn("whether the disks are still held is not known: {}", e.getMessage());
            return all;
        }
    }

    private static Set<String> running(JsonNode jobs) {
        Set<String> ids = new HashSet<>();
        jobs.forEach(job -> ids.add(job.path("device").asText()));
        return ids;
    }

    private void removeBitmap(Held disk, String name) {
        attempt(() ->
                qmp.ask("block-dirty-bitmap-remove", Map.of("node", disk.disk().node(), "name", name)));
    }

    private void attempt(Undo step) {
        try {
            step.run();
        } catch (IOException e) {
            LOG.warn("could not be undone, and will be tried again by the next backup: {}", e.getMessage());
        }
    }

    @Override
    public List<DiskAtPoint> disks() {
        return held.stream().map(this::atPoint).toList();
    }

    private DiskAtPoint atPoint(Held disk) {
        NbdUri uri = NbdUri.parse("nbd+unix:///" + disk.id() + "?socket=" + scratch.socket());
        Optional<String> since = disk.usable().flatMap(bitmap -> disk.plan().lastPoint());
        String whyNot = since.isPresent() ? "" : disk.whyNot();
        return new DiskAtPoint(
                disk.plan().disk(),
                uri,
                new TrackedDisk(moment.point(), moment.wholeEvery(), since, disk.id(), whyNot, uri));
    }

    @Override
    public void check(String disk) throws IOException {
        Set<String> running = running(qmp.ask("query-block-jobs"));
        if (held.stream().anyMatch(each -> each.plan().disk().equals(disk) && !running.contains(each.id()))) {
            throw new IOException("disk " + disk + " of " + qmp
                    + " was let go of while it was read, so what was read is"
                    + " of no one moment: its backup job in QEMU ended, as when somebody cancels it, or what the machine"
                    + " overwrites can't be written to " + scratch.socket().getParent());
        }
    }

    @Override
    public void kept(String disk) {
        kept.add(disk);
    }

    @Override
    public Optional<Duration> frozen() {
        return frozen;
    }

    @Override
    public List<String> warnings() {
        return List.copyOf(warnings);
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        while (!undo.isEmpty()) {
            attempt(undo.pop());
        }
    }
}
