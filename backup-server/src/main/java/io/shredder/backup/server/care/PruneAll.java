// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.care;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.server.config.CareConfig;
import io.shredder.backup.server.config.JobConfig;
import io.shredder.backup.server.config.SourceConfig;
import io.shredder.backup.server.job.CareOutcome;
import io.shredder.backup.server.transfer.CollectionRun;
import io.shredder.backup.server.trust.CheckedListing;
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
            CheckedListing listing = CheckedListing.of(agent, key, site.known());
            PruneImage images = new PruneImage(site, work.mostNew(), dryRun);
            for (JobConfig job : work.jobs()) {
                prune(agent, job, listing, images, outcomes);
            }
            // Of an agent that lost snapshots nothing is freed: what they need may seem to be garbage.
            boolean lacks = listing.alarm().isPresent();
            if (work.collect() && !lacks && !dryRun && !Thread.currentThread().isInterrupted()) {
                outcomes.accept(collect(agent));
            }
            outcomes.accept(lacks ? alarmed(listing) : outcome(Optional.empty(), listing.damaged(), Map.of()));
        } catch (IOException e) {
            outcomes.accept(CareOutcome.failed(CareOutcome.Kind.PRUNE, Optional.empty(), e));
        } catch (RuntimeException | Error e) {
            outcomes.accept(CareOutcome.died(CareOutcome.Kind.PRUNE, Optional.empty(), e));
        }
    }

    /** An image of which the agent shows less than it had, or other, is left alone. */
    private static void prune(
            AgentClient agent,
            JobConfig job,
            CheckedListing listing,
            PruneImage images,
            Consumer<CareOutcome> outcomes) {
        listing.alarms().forEach((image, alarm) -> {
            if (job.sourceOf(image).isPresent()) {
                outcomes.accept(CareOutcome.failed(CareOutcome.Kind.PRUNE, Optional.of(image.value()), alarm));
            }
        });
        listing.series().forEach((image, series) -> {
            Optional<SourceConfig> source = job.sourceOf(image);
            boolean hasAny = !series.proved().isEmpty();
            if (source.isPresent() && hasAny && !Thread.currentThread().isInterrupted()) {
                outcomes.accept(images.prune(agent, job, source.get(), series.proved()));
            }
        });
    }

    private void checkRight(AgentClient agent) throws IOException {
        List<String> rights = agent.statistics().rights();
        if (!rights.contains(RIGHT)) {
            throw new IOException("the certificate " + work.tls().certificate() + " has the rights " + rights
                    + " at the agent, and needs '" + RIGHT + "': see the agent's file of rights");
        }
    }

    /** Also of images that no job here prunes. */
    private CareOutcome alarmed(CheckedListing listing) {
        String alarm = listing.alarm().orElseThrow().getMessage() + (work.collect() ? "; no space is given back" : "");
        return new CareOutcome(
                CareOutcome.Kind.PRUNE,
                Optional.empty(),
                Optional.of(alarm),
                true,
                List.of(),
                kept(listing.damaged()),
                Map.of());
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
        return new CareOutcome(CareOutcome.Kind.PRUNE, Optional.empty(), error, List.of(), kept(damaged), figures);
    }

    private static List<String> kept(List<String> damaged) {
        return damaged.stream()
                .map(line -> "kept, rules can't judge it: " + line)
                .toList();
    }
}
