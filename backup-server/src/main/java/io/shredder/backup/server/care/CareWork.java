// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.care;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.server.config.CareConfig;
import io.shredder.backup.server.job.CareOutcome;
import io.shredder.backup.snapshot.SnapshotName;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What care does when its time has come, or a command says so.
 *
 * @param site what it shares with other care
 * @param config what it does
 */
public record CareWork(CareSite site, CareConfig config) {

    /** Takes care, in the caller's thread; an interrupt ends it. */
    public void take(Consumer<CareOutcome> outcomes) {
        if (config.work() instanceof CareConfig.Verify verify) {
            outcomes.accept(withAgent(
                    CareOutcome.Kind.VERIFY, agent -> new VerifyInTurn(site, config.name(), verify).run(agent)));
        } else if (config.work() instanceof CareConfig.Copy copy) {
            outcomes.accept(withAgent(CareOutcome.Kind.COPY, agent -> new CopyAll(site, copy).run(agent)));
        } else if (config.work() instanceof CareConfig.Boot boot) {
            BootAll boots = new BootAll(site, boot);
            for (SnapshotName image : boots.images()) {
                if (!Thread.currentThread().isInterrupted()) {
                    outcomes.accept(boots.run(image));
                }
            }
        } else if (config.work() instanceof CareConfig.Prune prune) {
            new PruneAll(site, prune, false).run(outcomes);
        }
    }

    /**
     * Says what it would delete, and deletes nothing.
     *
     * @throws IOException if it is no care that deletes
     */
    public void tryOut(Consumer<CareOutcome> outcomes) throws IOException {
        if (config.work() instanceof CareConfig.Prune prune) {
            new PruneAll(site, prune, true).run(outcomes);
        } else {
            throw new IOException("'" + config.name() + "' deletes nothing, so there is nothing to try out");
        }
    }

    /** What is done with the agent. */
    private interface Work {
        CareOutcome with(AgentClient agent) throws IOException;
    }

    private CareOutcome withAgent(CareOutcome.Kind kind, Work work) {
        try (AgentClient agent = site.connect()) {
            return work.with(agent);
        } catch (IOException e) {
            return CareOutcome.failed(kind, Optional.empty(), e);
        } catch (RuntimeException | Error e) {
            return CareOutcome.died(kind, Optional.empty(), e);
        }
    }
}
