// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.coding.figures;

import io.shredder.engine.ShredderException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;

/**
 * How long one client takes to write or read a file over nodes. Time is a model's where the network is concerned, and
 * what {@link GroupCoding} measures where a group is coded, one at a time. A file is cut into groups of {@code k} cells
 * of 1 MiB, the last into shorter ones; each group's shards go to nodes next to each other. Messages of 64 KiB go
 * through the client's link and their node's one after the other, so that coding, both links and all nodes work at
 * once. Nodes keep what they get at no cost. Each file costs a round trip more, for its map.
 */
final class FileTransfers {
    static final int CELL_BYTES = 1 << 20;
    static final int MESSAGE_BYTES = 64 << 10;
    private static final int ROUNDED_TO = 64;

    private final NodeLinks links;
    private final GroupCoding coding;

    FileTransfers(NodeLinks links, GroupCoding coding) {
        this.links = links;
        this.coding = coding;
    }

    /** Whether there is a node for each shard of a group. */
    boolean canHold(Scheme scheme) {
        return scheme.shards() <= links.nodes();
    }

    /** Bytes of each cell of each group of a file. */
    static List<Integer> groups(Scheme scheme, long fileBytes) {
        var cells = new ArrayList<Integer>();
        long full = (long) scheme.data() * CELL_BYTES;
        for (long rest = fileBytes; rest > 0; rest -= full) {
            long cell = (Math.min(rest, full) + scheme.data() - 1) / scheme.data();
            cells.add((int) ((cell + ROUNDED_TO - 1) / ROUNDED_TO * ROUNDED_TO));
        }
        return cells;
    }

    /** Where a shard lies: a group begins where the last one ended, or one further where that has come to node 0. */
    int node(Scheme scheme, int group, int shard) {
        long first = (long) group * scheme.shards();
        long cycle = (long) scheme.shards() * links.nodes() / commonDivisor(scheme.shards(), links.nodes());
        return (int) ((first + first / cycle + shard) % links.nodes());
    }

    private static int commonDivisor(int one, int other) {
        return other == 0 ? one : commonDivisor(other, one % other);
    }

    private void requireNodes(Scheme scheme) {
        if (!canHold(scheme)) {
            throw new IllegalArgumentException(scheme.title() + " needs " + scheme.shards() + " nodes");
        }
    }

    /** Seconds until every shard of the file is acknowledged. */
    double write(Scheme scheme, long fileBytes) throws ShredderException {
        requireNodes(scheme);
        var nodesFree = new double[links.nodes()];
        var window = new Window(links.windowBytes());
        double coderFree = 0;
        double clientFree = 0;
        double end = 0;
        List<Integer> groups = groups(scheme, fileBytes);
        for (int group = 0; group < groups.size(); group++) {
            int cell = groups.get(group);
            coderFree = Math.max(coderFree, window.admit((long) cell * scheme.shards())) + coding.encode(scheme, cell);
            double arrived = 0;
            for (int at = 0; at < cell; at += MESSAGE_BYTES) {
                int length = Math.min(MESSAGE_BYTES, cell - at);
                for (int shard = 0; shard < scheme.shards(); shard++) {
                    int node = node(scheme, group, shard);
                    double begin = Math.max(coderFree, clientFree);
                    clientFree = begin + length / links.clientRate();
                    double atNode = Math.max(begin + links.latency(), nodesFree[node]);
                    nodesFree[node] = Math.max(atNode + length / links.nodeRate(), clientFree + links.latency());
                    arrived = Math.max(arrived, nodesFree[node]);
                }
            }
            double acknowledged = arrived + links.latency();
            window.occupy((long) cell * scheme.shards(), acknowledged);
            end = Math.max(end, acknowledged);
        }
        return end + 2 * links.latency();
    }

    /** Seconds until the client has the file, where the first so many data shards of each group are lost. */
    double read(Scheme scheme, long fileBytes, int lost) throws ShredderException {
        requireNodes(scheme);
        if (lost > scheme.mostLostData()) {
            throw new IllegalArgumentException(scheme.title() + " can't lose " + lost + " data shards");
        }
        return new Reading(scheme, groups(scheme, fileBytes), lost).seconds();
    }

    /** What a client has under way; it waits for the oldest where there is no room. */
    private static final class Window {
        private record Part(long bytes, double until) {}

        private final long most;
        private final Deque<Part> parts = new ArrayDeque<>();
        private long bytes;
        private double now;

        Window(long most) {
            this.most = most;
        }

        /** When there is room; more than all of it gets in alone. */
        double admit(long wanted) {
            while (!parts.isEmpty() && bytes + wanted > most) {
                Part oldest = parts.remove();
                bytes -= oldest.bytes();
                now = Math.max(now, oldest.until());
            }
            return now;
        }

        void occupy(long more, double until) {
            parts.add(new Part(more, until));
            bytes += more;
        }
    }

    /** A message on its way to the client. */
    private record Arriving(double begin, double end, int bytes, int group) {}

    /** One reading of a file; messages go through the client's link in the order in which they come. */
    private final class Reading {
        private final Scheme scheme;
        private final List<Integer> groups;
        private final int lost;
        private final double[] nodesFree = new double[links.nodes()];
        private final int[] missing;
        private final double[] arrived;
        private final PriorityQueue<Arriving> arriving =
                new PriorityQueue<>((one, other) -> Double.compare(one.begin(), other.begin()));
        private int asked;
        private long underWay;
        private double clientFree;
        private double coderFree;

        Reading(Scheme scheme, List<Integer> groups, int lost) {
            this.scheme = scheme;
            this.groups = groups;
            this.lost = lost;
            this.missing = new int[groups.size()];
            this.arrived = new double[groups.size()];
        }

        double seconds() throws ShredderException {
            double end = 2 * links.latency();
            ask(end);
            while (!arriving.isEmpty()) {
                Arriving message = arriving.remove();
                double begin = Math.max(message.begin(), clientFree);
                clientFree = begin + message.bytes() / links.clientRate();
                int group = message.group();
                arrived[group] = Math.max(arrived[group], Math.max(clientFree, message.end()));
                missing[group] -= message.bytes();
                if (missing[group] == 0) {
                    coderFree = Math.max(coderFree, arrived[group]) + coding.decode(scheme, groups.get(group), lost);
                    underWay -= bytesOf(group);
                    end = Math.max(end, coderFree);
                    ask(coderFree);
                }
            }
            return end;
        }

        private long bytesOf(int group) {
            return (long) groups.get(group) * scheme.data();
        }

        /** Asks for as many groups as there is room for. */
        private void ask(double now) {
            while (asked < groups.size() && (underWay == 0 || underWay + bytesOf(asked) <= links.windowBytes())) {
                request(asked, now + links.latency());
                underWay += bytesOf(asked);
                asked++;
            }
        }

        private void request(int group, double atNodes) {
            int cell = groups.get(group);
            missing[group] = cell * scheme.data();
            for (int at = 0; at < cell; at += MESSAGE_BYTES) {
                int length = Math.min(MESSAGE_BYTES, cell - at);
                for (int shard = lost; shard < lost + scheme.data(); shard++) {
                    int node = node(scheme, group, shard);
                    double begin = Math.max(atNodes, nodesFree[node]);
                    nodesFree[node] = begin + length / links.nodeRate();
                    arriving.add(
                            new Arriving(begin + links.latency(), nodesFree[node] + links.latency(), length, group));
                }
            }
        }
    }
}
