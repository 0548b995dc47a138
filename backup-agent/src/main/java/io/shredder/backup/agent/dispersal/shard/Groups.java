// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.shard;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The groups of a coded file, by where they begin in it. Safe for any number of threads. */
public final class Groups {

    /**
     * A group.
     *
     * @param at where its frame begins at each keeper
     */
    public record Group(GroupFrame frame, long at) {}

    private final TreeMap<Long, Group> byOffset = new TreeMap<>();
    private long bytes;

    public synchronized void add(Group group) {
        byOffset.put(group.frame().offset(), group);
        bytes = group.frame().offset() + group.frame().bytes();
    }

    /** How many of the file's bytes are in groups. */
    public synchronized long bytes() {
        return bytes;
    }

    /** How long a shard is that has these and no more. */
    public synchronized long shardBytes(int keepers) {
        Map.Entry<Long, Group> last = byOffset.lastEntry();
        return last == null
                ? ShardHeader.BYTES
                : last.getValue().at()
                        + GroupFrame.headBytes(keepers)
                        + last.getValue().frame().cellBytes();
    }

    /** Takes the last one away. */
    public synchronized void removeLast() {
        Map.Entry<Long, Group> last = byOffset.pollLastEntry();
        if (last != null) {
            bytes = last.getKey();
        }
    }

    public synchronized int count() {
        return byOffset.size();
    }

    /** The group that has this byte, which must be in one. */
    public synchronized Group at(long position) {
        Map.Entry<Long, Group> found = byOffset.floorEntry(position);
        if (found == null || position >= bytes) {
            throw new IllegalArgumentException("no group has byte " + position);
        }
        return found.getValue();
    }

    public synchronized List<Group> all() {
        return new ArrayList<>(byOffset.values());
    }
}
