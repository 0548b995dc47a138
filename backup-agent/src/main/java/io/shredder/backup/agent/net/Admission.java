// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.net;

import io.shredder.backup.agent.session.SessionStatus;
import io.shredder.backup.snapshot.SnapshotName;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Who is connected, and whether one more may be: {@link AgentLimits}. Thread-safe. */
final class Admission {

    private final AgentLimits limits;
    private final Set<ClientWorker> workers = new LinkedHashSet<>();
    private boolean stopping;

    Admission(AgentLimits limits) {
        this.limits = limits;
    }

    /** Lets a client in, or says why not. Whoever is in is waited for by {@link #stopAdmitting}'s caller. */
    synchronized Optional<String> admit(ClientWorker worker) {
        SnapshotName client = worker.client();
        long own =
                workers.stream().filter(other -> other.client().equals(client)).count();
        // What some take beyond their first, for speed, keeps nobody else out.
        int places = limits.connections() + (own == 0 ? limits.newcomers() : 0);
        if (stopping) {
            return Optional.of("the agent is stopping: try again later");
        } else if (workers.size() >= places) {
            return Optional.of("the agent has too many clients: " + workers.size()
                    + " connections: try again later, or raise --connections at the agent");
        } else if (own >= limits.connectionsEach()) {
            return Optional.of("client " + client + " has " + own + " connections already, its share of the agent:"
                    + " use fewer at once, or raise --connections-per-client at the agent");
        }
        workers.add(worker);
        worker.onEnd(() -> forget(worker));
        return Optional.empty();
    }

    private synchronized void forget(ClientWorker worker) {
        workers.remove(worker);
    }

    /** How many are in. */
    synchronized int count() {
        return workers.size();
    }

    /** What those that are in have done so far. */
    synchronized List<SessionStatus> sessions() {
        return workers.stream().map(ClientWorker::status).toList();
    }

    /** Nobody is let in any more; returns who is in. */
    synchronized List<ClientWorker> stopAdmitting() {
        stopping = true;
        return List.copyOf(workers);
    }
}
