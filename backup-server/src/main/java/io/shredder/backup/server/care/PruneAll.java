// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.care;

import com.google.common.collect.Multimaps;
import io.shredder.backup.client.AgentClient;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.server.config.CareConfig;
import io.shredder.backup.server.config.JobConfig;
import io.shredder.backup.server.config.SourceConfig;
import io.shredder.backup.server.job.CareOutcome;
import io.shredder.backup.server.snapshot.SnapshotChoice;
import io.shredder.backup.server.transfer.CollectionRun;
import io.shredder.backup.server.trust.AgentSeries;
import io.shredder.backup.server.trust.ProvedListing;
import io.shredder.backup.server.trust.ProvedSnapshot;
import io.shredder.backup.snapshot.SnapshotName;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Deletes what no rule of its job keeps, one image after the other, with a certificate of its own. */
final class PruneAll {

    /** The right of the agent's that it needs. */
    private static final String RIGHT = "prune";

    private final CareSite site;
    private final CareConfig.Prune work;
    private final boolean dryRun;

    PruneAll(CareSite site, CareConfig.Prune work, boolean dryRun) {
        this.site = site;
        this.work = work;
        this.dryRun = dryRun;
    }

    /** Each image's outcome; or one for all, if the agent can't be asked. */
    void run(Consumer<CareOutcome> outcomes) {
        try (AgentClient agent = site.connect(site.config().agent(), work.tls())) {
            checkRight(agent);
            RepositoryKey key = site.key();
            SnapshotChoice.Listing listing = SnapshotChoice.listAll(agent);
            ProvedListing proved = ProvedListing.of(listing.snapshots(), key, AgentSeries.home(agent));
            Map<SnapshotName, List<ProvedSnapshot>> series = Multimaps.asMap(
                    Multimaps.index(proved.proved(), snapshot -> snapshot.info().name()));
            PruneImage images = new PruneImage(site, work.mostNew(), dryRun);
            for (JobConfig job : work.jobs()) {
                for (Map.Entry<SnapshotName, List<ProvedSnapshot>> image : series.entrySet()) {
                    Optional<SourceConfig> source = job.sourceOf(image.getKey());
                    if (source.isPresent() && !Thread.currentThread().isInterrupted()) {
                        outcomes.accept(images.prune(agent, job, source.get(), image.getValue()));
                    }
                }
            }
            if (work.collect() && !dryRun && !Thread.currentThread().isInterrupted()) {
                outcomes.accept(collect(agent));
            }
            outcomes.accept(outcome(Optional.empty(), listing.damaged(), Map.of()));
        } catch (IOException e) {
            outcomes.accept(CareOutcome.failed(CareOutcome.Kind.PRUNE, Optional.empty(), e));
        }
    }

    private void checkRight(AgentClient agent) throws IOException {
        List<String> rights = agent.statistics().rights();
        if (!rights.contains(RIGHT)) {
            throw new IOException("the certificate " + work.tls().certificate() + " has the rights " + rights
                    + " at the agent, and needs '" + RIGHT + "': see the agent's file of rights");
        }
    }

    private static CareOutcome collect(AgentClient agent) throws IOException {
        CollectionRun run = CollectionRun.of(agent, CollectionRun.DEFAULT_MIN_GARBAGE_PERCENT, false);
        return outcome(
                run.problems().isEmpty()
                        ? Optional.empty()
                        : Optional.of("space is not given back: " + String.join("; ", run.problems())),
                List.of(),
                Map.of("freed.bytes", (double) run.last().freedBytes()));
    }

    /** What is damaged is left alone, and said by verification. */
    private static CareOutcome outcome(Optional<String> error, List<String> damaged, Map<String, Double> figures) {
        return new CareOutcome(
                CareOutcome.Kind.PRUNE,
                Optional.empty(),
                error,
                List.of(),
                damaged.stream()
                        .map(line -> "kept, rules can't judge it: " + line)
                        .toList(),
                figures);
    }
}
