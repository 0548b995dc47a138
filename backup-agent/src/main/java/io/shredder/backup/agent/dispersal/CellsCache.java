// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import io.shredder.backup.agent.dispersal.shard.Groups;
import io.shredder.backup.agent.dispersal.shard.StoredVersion;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

/**
 * Groups that were last read, for all who read a file beside one another, as the requests of one restore are read. Of a
 * file that nobody has open any more it keeps nothing. Safe for any number of threads.
 */
final class CellsCache {

    /**
     * Of all files together, for each of the cores: what is read ahead, what is being read, and what others may still
     * be reading. So many read side by side; with less, what is read ahead for one is dropped for another before it was
     * given out, and read again.
     */
    private static final int BYTES_A_CORE = 12 << 20;

    private static final int LEAST_BYTES = 96 << 20;

    /** The heap of an agent grows no further with more. */
    private static final int MOST_CORES = 16;

    /** Of a file, of groups that were given out whole: of a restore nobody wants them any more. */
    private static final int MOST_GIVEN_OUT = 2;

    /** Reads of a file that are remembered, and how far behind the end of one another begins that goes on with it. */
    private static final int MOST_ENDS = 16;

    private static final int MOST_GAP_BYTES = 64 << 10;

    private final int keepers;
    private final Executor beside;
    private final int mostBytes;
    private final Map<StoredVersion, OpenFile> files = new HashMap<>();

    /** Of all files, the longest unused first. */
    private final Map<Place, CachedCells> groups = new LinkedHashMap<>(16, 0.75f, true);

    private long bytes;

    /** A group of a file, by where it begins at each keeper. */
    private record Place(StoredVersion version, long at) {}

    /** A file that somebody reads. */
    private static final class OpenFile {
        private final Deque<Long> ends = new ArrayDeque<>();
        private final Deque<CachedCells> givenOut = new ArrayDeque<>();
        private int readers;
    }

    /**
     * Keeps nothing yet.
     *
     * @param beside runs what reads ahead
     * @param cores of this machine
     */
    CellsCache(int keepers, Executor beside, int cores) {
        this.keepers = keepers;
        this.beside = beside;
        this.mostBytes = Math.max(LEAST_BYTES, Math.min(cores, MOST_CORES) * BYTES_A_CORE);
    }

    Executor beside() {
        return beside;
    }

    /** Somebody reads a file from now on, until {@link #close}. */
    synchronized void open(StoredVersion version) {
        files.computeIfAbsent(version, unread -> new OpenFile()).readers++;
    }

    synchronized void close(StoredVersion version) {
        OpenFile file = files.get(version);
        if (file != null && --file.readers == 0) {
            files.remove(version);
            List<Place> places = groups.keySet().stream()
                    .filter(place -> place.version().equals(version))
                    .toList();
            places.forEach(this::drop);
        }
    }

    private void drop(Place place) {
        CachedCells cells = groups.remove(place);
        if (cells != null) {
            bytes -= cells.mostBytes();
            cells.release();
        }
    }

    /** Takes note of a read; returns whether it goes on where one of the last ones ended, whosever that was. */
    synchronized boolean goesOn(StoredVersion version, long position, long end) {
        OpenFile file = files.get(version);
        if (file == null) {
            return false;
        }
        boolean goesOn = file.ends.removeIf(before -> before <= position && position - before <= MOST_GAP_BYTES);
        file.ends.add(end);
        if (file.ends.size() > MOST_ENDS) {
            file.ends.remove();
        }
        return goesOn;
    }

    /** Whether somebody has read some of a group, or begun to. */
    synchronized boolean has(StoredVersion version, Groups.Group group) {
        return groups.containsKey(new Place(version, group.at()));
    }

    /**
     * Takes note that so many bytes of a group were given out. Once they are as many as it has, it is kept only for a
     * moment: what stays in memory the garbage collector copies about.
     */
    synchronized void gaveOut(StoredVersion version, CachedCells cells, int bytes) {
        OpenFile file = files.get(version);
        if (file != null && cells.giveOut(bytes)) {
            file.givenOut.add(cells);
            if (file.givenOut.size() > MOST_GIVEN_OUT) {
                drop(version, file.givenOut.remove());
            }
        }
    }

    private void drop(StoredVersion version, CachedCells cells) {
        if (groups.remove(new Place(version, cells.group().at()), cells)) {
            bytes -= cells.mostBytes();
            cells.release();
        }
    }

    /** What was read of a group, in which others may be reading now. Whoever gets it releases it. */
    synchronized CachedCells get(StoredVersion version, Groups.Group group) {
        if (!files.containsKey(version)) {
            return new CachedCells(group, keepers); // It was closed meanwhile.
        }
        Place place = new Place(version, group.at());
        CachedCells known = groups.get(place);
        if (known != null) {
            return known.use();
        }
        CachedCells cells = new CachedCells(group, keepers);
        groups.put(place, cells.use());
        bytes += cells.mostBytes();
        while (bytes > mostBytes && groups.size() > 1) {
            drop(groups.keySet().iterator().next());
        }
        return cells;
    }
}
