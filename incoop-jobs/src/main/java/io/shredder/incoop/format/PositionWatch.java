// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.format;

import io.shredder.incoop.watch.JvmWatch;
import io.shredder.incoop.watch.Observer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.mapreduce.InputSplit;
import org.jspecify.annotations.Nullable;

/**
 * Notices when a map asks where it is: a record's offset, its split, its task. What it gives then holds for that place
 * only. Safe for use by several threads. To be closed when the map is done.
 */
public final class PositionWatch implements AutoCloseable {

    private final List<JvmWatch.Watching> watched = new ArrayList<>();
    private volatile @Nullable String asked;

    /**
     * What is computed from here on holds for this place only.
     *
     * @param by who has asked for what
     */
    public void asked(String by) {
        asked = by;
    }

    /** Whether anything has asked so far. */
    public boolean wasAsked() {
        return asked != null;
    }

    /** Who has asked for what, last. */
    public Optional<String> reason() {
        return Optional.ofNullable(asked);
    }

    /** Has it count as asking if anybody looks at the value of a key; nobody sees that in a JVM without the agent. */
    public synchronized void watchOffset(LongWritable key) {
        watched.add(JvmWatch.watchOffset(key, (sight, through, what, by) -> asked("it looks at " + what)));
    }

    /** Has an observer told if anybody asks a split for what it says. */
    public synchronized void watchSplit(InputSplit split, Observer observer) {
        watched.add(JvmWatch.watchSplit(split, observer));
    }

    @Override
    public synchronized void close() {
        watched.forEach(JvmWatch.Watching::close);
        watched.clear();
    }
}
