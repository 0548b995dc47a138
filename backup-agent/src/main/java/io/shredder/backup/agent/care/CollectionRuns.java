// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.care;

import io.shredder.backup.agent.collect.CollectionProgress;
import io.shredder.backup.agent.collect.GarbageCollection;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.agent.store.SettledCollection;
import io.shredder.backup.pace.Pace;
import io.shredder.backup.schedule.Planned;
import io.shredder.backup.schedule.RunTimes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives space back when it is time.
 *
 * @param repository whose
 * @param config when and how
 * @param pace of what is copied
 * @param figures what it shows
 */
record CollectionRuns(Repository repository, AgentCareConfig.Collection config, Pace pace, CareFigures figures)
        implements Planned {

    private static final Logger LOG = LoggerFactory.getLogger(CollectionRuns.class);

    @Override
    public String name() {
        return "gc";
    }

    @Override
    public RunTimes times() {
        return config.times();
    }

    /** A full disk must not keep it from giving space back. */
    @Override
    public boolean mayRunTwice() {
        return true;
    }

    @Override
    public Run begin() {
        return new CareRun(name(), figures) {
            @Override
            boolean take() throws IOException {
                return collect(this);
            }
        };
    }

    private boolean collect(CareRun run) throws IOException {
        SettledCollection collection = SettledCollection.begin(
                        repository, new GarbageCollection.Settings(config.minGarbagePercent(), false), true)
                .orElseThrow(() -> new IOException("a client's collection is under way: the next time will do"));
        List<String> problems = new ArrayList<>();
        try (collection) {
            CollectionProgress progress;
            long copied = 0;
            do {
                progress = collection.step();
                problems.addAll(progress.problems());
                run.holdBack(pace, progress.copiedBytes() - copied);
                copied = progress.copiedBytes();
            } while (!progress.done() && !run.isEnded());
            run.set("freed.bytes", progress.freedBytes());
            run.set("garbage.bytes", progress.garbageBytes());
            run.set("problems", problems.size());
            problems.forEach(problem -> LOG.error("care gc: {}", problem));
            if (!progress.done()) {
                throw new IOException("the collection was ended before it was done: the next one goes on");
            }
            LOG.info(
                    "care gc: {} bytes freed, {} containers deleted",
                    progress.freedBytes(),
                    progress.deletedContainers());
            return problems.isEmpty();
        }
    }
}
