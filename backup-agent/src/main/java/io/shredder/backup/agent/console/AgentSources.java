// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.console;

import io.shredder.backup.agent.access.AccessRules;
import io.shredder.backup.agent.care.CareStanding;
import io.shredder.backup.agent.session.SessionStatus;
import io.shredder.backup.agent.store.Repository;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;

/**
 * Where the agent's console looks; all of it may be asked from any thread.
 *
 * @param repository that is served
 * @param sessions of clients that are connected
 * @param care the agent's own
 * @param rules who may do what
 * @param certificateEnds when the agent's certificate does
 * @param started when the agent was
 * @param clock of this machine
 */
public record AgentSources(
        Repository repository,
        Supplier<List<SessionStatus>> sessions,
        Supplier<List<CareStanding>> care,
        Supplier<AccessRules> rules,
        Instant certificateEnds,
        Instant started,
        Clock clock) {}
