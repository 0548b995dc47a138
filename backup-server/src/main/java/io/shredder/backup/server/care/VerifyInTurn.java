// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.care;

import io.shredder.backup.care.VerificationTurn;
import io.shredder.backup.client.AgentClient;
import io.shredder.backup.server.config.CareConfig;
import io.shredder.backup.server.job.CareOutcome;
import io.shredder.backup.server.transfer.DamageSearch;
import io.shredder.backup.server.transfer.DamagedSnapshot;
import io.shredder.backup.server.trust.AgentSeries;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.VerifyScope;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Has the agent read and digest a part of all that it keeps, where the run before ended. */
final class VerifyInTurn {

    /** Of hurt snapshots, and of places. */
    private static final int MOST_LINES = 10;

    private final CareSite site;
    private final String name;
    private final CareConfig.Verify work;

    VerifyInTurn(CareSite site, String name, CareConfig.Verify work) {
        this.site = site;
        this.name = name;
        this.work = work;
    }

    CareOutcome run(AgentClient agent) throws IOException {
        VerificationTurn.Store store = new VerificationTurn.Store() {
            @Override
            public long chunks() throws IOException {
                return agent.statistics().chunks();
            }

            @Override
            public Answer.Verified verify(long cursor) throws IOException {
                return agent.verify(VerifyScope.EVERYTHING, cursor);
            }
        };
        VerificationTurn.Result read = new VerificationTurn(site.ledger(), name, work.allIn(), site.clock())
                .run(store, Thread.currentThread()::isInterrupted);
        return new CareOutcome(
                CareOutcome.Kind.VERIFY,
                Optional.empty(),
                read.late(),
                read.open().isEmpty() ? List.of() : lines(agent, read.open()),
                Map.of(
                        "verified.bytes", (double) read.bytes(),
                        "verified.chunks", (double) read.chunks(),
                        "pass.began.timestamp.seconds",
                                (double) read.passBegan().getEpochSecond()));
    }

    private List<String> lines(AgentClient agent, Collection<List<String>> open) throws IOException {
        Set<String> problems = new LinkedHashSet<>();
        open.forEach(problems::addAll);
        AgentSeries.Listing listing = AgentSeries.listAll(agent);
        List<DamagedSnapshot> hurt =
                new DamageSearch(agent, Optional.of(site.key()), problems).among(listing.snapshots());
        return lines(hurt.stream().map(DamagedSnapshot::toString).toList(), List.copyOf(problems));
    }

    /** Which images are hurt comes first; that there are many does not keep the places from being named. */
    static List<String> lines(List<String> hurt, List<String> places) {
        List<String> lines = new ArrayList<>();
        addFirst(lines, hurt, "snapshots");
        addFirst(lines, places, "places");
        return lines;
    }

    private static void addFirst(List<String> lines, List<String> all, String what) {
        lines.addAll(all.subList(0, Math.min(MOST_LINES, all.size())));
        if (all.size() > MOST_LINES) {
            lines.add("and " + (all.size() - MOST_LINES) + " more " + what + ": see 'shredder-backup verify'");
        }
    }
}
