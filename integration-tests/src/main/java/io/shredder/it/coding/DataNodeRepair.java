// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.coding;

import io.shredder.it.process.Condition;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;

/**
 * Loses DataNodes one by one, has the others repair, and adds up what these counted, by the coder that each says it is
 * configured with. Both kinds repair at the same time, so what else the machine does falls on both.
 */
final class DataNodeRepair {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final int CALL_MS = 10_000;
    private static final int UNITS = 9;

    private final DistributedFileSystem fs;
    private final StampedFile file;

    DataNodeRepair(DistributedFileSystem fs, StampedFile file) {
        this.fs = fs;
        this.file = file;
    }

    /**
     * Loses first one that only warms the others up, then one of each coder's.
     *
     * @return what counts of the DataNodes that have each of the coders
     */
    Map<String, RepairCounters> run(List<String> coders) throws IOException, InterruptedException {
        lose(coders.get(0));
        Map<String, RepairCounters> all = new TreeMap<>();
        for (String coder : coders) {
            lose(coder).forEach((kind, counted) -> all.merge(kind, counted, RepairCounters::plus));
        }
        return all;
    }

    /** Loses the DataNode of a coder that has the most units; returns what the others counted until all is whole. */
    private Map<String, RepairCounters> lose(String coder) throws IOException, InterruptedException {
        Map<DatanodeInfo, String> coders = coders();
        Map<DatanodeInfo, Long> held = unitsHeld();
        DatanodeInfo victim = held.keySet().stream()
                .filter(node -> coder.equals(coders.get(node)))
                .max(Comparator.comparing(held::get))
                .orElseThrow(() -> new IOException("no DataNode with " + coder + " has a unit of " + file.path()));
        coders.remove(victim);
        Map<DatanodeInfo, RepairCounters> before = counters(coders.keySet());
        long lost = held.getOrDefault(victim, 0L);
        DFSUtilClient.createClientDatanodeProtocolProxy(victim, fs.getConf(), CALL_MS, false)
                .shutdownDatanode(false);
        Condition.await(
                "the repair of " + lost + " units",
                LIMIT,
                List.of(),
                () -> isWholeWithout(victim) && sum(differences(before)).tasks() >= lost);
        Map<String, RepairCounters> byCoder = new HashMap<>();
        differences(before).forEach((node, counted) -> byCoder.merge(coders.get(node), counted, RepairCounters::plus));
        return byCoder;
    }

    private Map<DatanodeInfo, String> coders() throws IOException {
        Map<DatanodeInfo, String> coders = new HashMap<>();
        for (DatanodeInfo node : fs.getDataNodeStats(DatanodeReportType.LIVE)) {
            coders.put(node, property(get(node, "/conf?format=xml&name=" + CodedWrites.CODERS_PROPERTY)));
        }
        return coders;
    }

    /** The value in what a daemon answers when it is asked for one property. */
    static String property(String answer) throws IOException {
        int begin = answer.indexOf("<value>");
        int end = answer.indexOf("</value>");
        if (begin < 0 || end < begin) {
            throw new IOException("no value of a property: " + answer);
        }
        return answer.substring(begin + "<value>".length(), end).strip();
    }

    private static Map<DatanodeInfo, RepairCounters> counters(Set<DatanodeInfo> nodes) throws IOException {
        Map<DatanodeInfo, RepairCounters> counters = new HashMap<>();
        for (DatanodeInfo node : nodes) {
            counters.put(node, RepairCounters.parse(get(node, RepairCounters.QUERY)));
        }
        return counters;
    }

    private static Map<DatanodeInfo, RepairCounters> differences(Map<DatanodeInfo, RepairCounters> before)
            throws IOException {
        Map<DatanodeInfo, RepairCounters> now = counters(before.keySet());
        before.forEach((node, earlier) -> now.computeIfPresent(node, (same, counted) -> counted.minus(earlier)));
        return now;
    }

    private static RepairCounters sum(Map<DatanodeInfo, RepairCounters> counters) {
        return counters.values().stream().reduce(RepairCounters.NONE, RepairCounters::plus);
    }

    private static String get(DatanodeInfo node, String what) throws IOException {
        var connection =
                URI.create("http://" + node.getInfoAddr() + what).toURL().openConnection();
        connection.setConnectTimeout(CALL_MS);
        connection.setReadTimeout(CALL_MS);
        try (var in = connection.getInputStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private Map<DatanodeInfo, Long> unitsHeld() throws IOException {
        Map<DatanodeInfo, Long> held = new HashMap<>();
        for (LocatedBlock group : groups()) {
            Stream.of(group.getLocations()).forEach(node -> held.merge(node, 1L, Long::sum));
        }
        return held;
    }

    private boolean isWholeWithout(DatanodeInfo lost) throws IOException {
        for (LocatedBlock group : groups()) {
            DatanodeInfo[] nodes = group.getLocations();
            byte[] units = ((LocatedStripedBlock) group).getBlockIndices();
            Set<Byte> there = new HashSet<>();
            for (int i = 0; i < nodes.length; i++) {
                if (!nodes[i].equals(lost)) {
                    there.add(units[i]);
                }
            }
            if (there.size() < UNITS) {
                return false;
            }
        }
        return true;
    }

    private List<LocatedBlock> groups() throws IOException {
        return fs.getClient()
                .getLocatedBlocks(file.path().toUri().getPath(), 0, Long.MAX_VALUE)
                .getLocatedBlocks();
    }
}
