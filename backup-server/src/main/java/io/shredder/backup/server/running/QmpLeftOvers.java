// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.running;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a backup that was killed left in a machine: an export, a job, a block node, a copy of a bitmap. Each is called
 * by the process that made it.
 */
final class QmpLeftOvers {

    /** Behind it come the process's id and a number. */
    private static final String PREFIX = "shredder-";

    private static final Logger LOG = LoggerFactory.getLogger(QmpLeftOvers.class);
    private static final Pattern OURS = Pattern.compile(PREFIX + "([0-9]+)-[0-9]+");

    private static final Pattern SCRATCH = Pattern.compile("(/[^\"\\\\]*/shredder-[0-9]+-[^/\"\\\\]*)/[^/]*\\.qcow2");
    private static final AtomicLong NEXT = new AtomicLong();
    /** What backups of this process use now: a machine may have two sockets, and two backups. */
    private static final Set<String> IN_USE = ConcurrentHashMap.newKeySet();

    private final QmpConnection qmp;

    QmpLeftOvers(QmpConnection qmp) {
        this.qmp = qmp;
    }

    /** What all that belongs to one disk is called while it is held. */
    static String newId() {
        String id = PREFIX + ProcessHandle.current().pid() + "-" + NEXT.getAndIncrement();
        IN_USE.add(id);
        return id;
    }

    /** It is used no more. */
    static void forget(String id) {
        IN_USE.remove(id);
    }

    /**
     * Takes them away.
     *
     * @throws IOException if one belongs to a process that lives
     */
    void clear() throws IOException {
        List<String> exports = ours(qmp.ask("query-block-exports"), "id");
        List<String> jobs = ours(qmp.ask("query-block-jobs"), "device");
        JsonNode allNodes = qmp.ask("query-named-block-nodes", Map.of("flat", true));
        checkScratch(allNodes);
        List<String> nodes = ours(allNodes, "node-name");
        if (exports.isEmpty() && jobs.isEmpty() && nodes.isEmpty()) {
            clearBitmaps();
            return;
        }
        LOG.warn("{}: a backup that was killed left something behind, which is taken away", qmp);
        stopServer(exports);
        for (String job : jobs) {
            qmp.ask("block-job-cancel", Map.of("device", job, "force", true));
        }
        qmp.await("query-block-jobs", left -> jobs.stream().noneMatch(ids(left, "device")::contains));
        for (String node : nodes) {
            qmp.ask("blockdev-del", Map.of("node-name", node));
        }
        clearBitmaps();
    }

    /** One that was started for us, unless somebody else has exports there, too. */
    private void stopServer(List<String> own) throws IOException {
        if (ids(qmp.ask("query-block-exports"), "id").size() > own.size()) {
            for (String export : own) {
                qmp.ask("block-export-del", Map.of("id", export, "mode", "hard"));
            }
            qmp.await("query-block-exports", left -> own.stream().noneMatch(ids(left, "id")::contains));
            return;
        }
        try {
            qmp.ask("nbd-server-stop");
        } catch (IOException e) {
            LOG.debug("no NBD server was left", e);
        }
    }

    /** Copies of bitmaps are never of use to another process. */
    private void clearBitmaps() throws IOException {
        for (QmpDisk disk : QmpDisk.of(qmp)) {
            for (QmpDisk.Bitmap bitmap : disk.bitmaps()) {
                if (process(bitmap.name()).isPresent()) {
                    qmp.ask("block-dirty-bitmap-remove", Map.of("node", disk.node(), "name", bitmap.name()));
                }
            }
        }
    }

    private List<String> ours(JsonNode all, String key) throws IOException {
        List<String> found = new ArrayList<>();
        for (String id : ids(all, key)) {
            Optional<Long> process = process(id);
            if (process.isPresent()) {
                checkDead(id, process.get());
                found.add(id);
            }
        }
        return found;
    }

    private void checkDead(String id, long process) throws IOException {
        boolean lives = process == ProcessHandle.current().pid()
                ? IN_USE.contains(id)
                : ProcessHandle.of(process).map(ProcessHandle::isAlive).orElse(false);
        if (lives) {
            throw inUse("process " + process);
        }
    }

    /** Another user's process may be out of sight; whether its scratch folder is in use isn't. */
    private void checkScratch(JsonNode nodes) throws IOException {
        for (JsonNode node : nodes) {
            Matcher scratch = SCRATCH.matcher(node.path("file").asText());
            if (process(node.path("node-name").asText()).isPresent()
                    && scratch.find()
                    && MachineScratch.isLive(Path.of(scratch.group(1)))) {
                throw inUse("whoever uses " + scratch.group(1));
            }
        }
    }

    private IOException inUse(String who) {
        return new IOException(qmp + " is being backed up by " + who + ": wait for its end, or end it");
    }

    private static Optional<Long> process(String id) {
        Matcher matcher = OURS.matcher(id);
        return matcher.matches() ? Optional.of(Long.parseLong(matcher.group(1))) : Optional.empty();
    }

    private static List<String> ids(JsonNode all, String key) {
        List<String> ids = new ArrayList<>();
        all.forEach(each -> ids.add(each.path(key).asText()));
        return ids;
    }
}
