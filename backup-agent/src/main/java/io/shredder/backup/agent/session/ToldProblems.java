// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.session;

import io.shredder.backup.agent.access.ClientAccess;
import io.shredder.backup.agent.access.Right;
import io.shredder.backup.agent.catalogue.Catalogue;
import io.shredder.backup.wire.VerifyScope;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one client is told of damage to what the agent keeps for all. Whoever looks after the store is told everything.
 * Of others' chunks and snapshots a client learns how much is wrong, neither identities nor names: under an identity
 * that is lost it could put other bytes. The agent's log has what is withheld. One thread.
 */
final class ToldProblems {

    private static final Logger LOG = LoggerFactory.getLogger(ToldProblems.class);
    private static final Pattern IDENTITY = Pattern.compile("\\b[0-9a-f]{64}\\b");

    /** Clients may have everything verified again and again. */
    private static final int MOST_LOGGED = 100;

    private final Catalogue catalogue;
    private final @Nullable ClientAccess client;
    private int logged;

    private ToldProblems(Catalogue catalogue, @Nullable ClientAccess client) {
        this.catalogue = catalogue;
        this.client = client;
    }

    /** Everything, for the agent itself. */
    static ToldProblems all(Catalogue catalogue) {
        return new ToldProblems(catalogue, null);
    }

    static ToldProblems to(ClientAccess client, Catalogue catalogue) {
        return new ToldProblems(catalogue, client.rights().contains(Right.PRUNE) ? null : client);
    }

    /** Only lists tell whose chunks are in a container. */
    List<String> ofContainer(List<String> problems) {
        if (client == null) {
            return problems;
        }
        List<String> told = new ArrayList<>();
        for (String problem : problems) {
            String without = IDENTITY.matcher(problem).replaceAll(VerifyScope.WITHHELD);
            told.add(without);
            if (!without.equals(problem)) {
                log(problem);
            }
        }
        return told;
    }

    List<String> ofList(long id, List<String> problems) {
        return mayTellOf(id) ? problems : withheld("snapshot " + id + ", which is another client's", problems);
    }

    /** An error of the storage may name a file. */
    IOException ofList(long id, IOException failure) {
        if (mayTellOf(id)) {
            return failure;
        }
        log(failure.toString());
        return new IOException("a list of another client's can't be read: see the agent's log", failure);
    }

    /** What is wrong with the catalogue as a whole. */
    List<String> ofCatalogue(List<String> problems) {
        if (client == null) {
            return problems;
        }
        List<String> told = new ArrayList<>();
        List<String> others = new ArrayList<>();
        for (String problem : problems) {
            (Catalogue.isOfAnother(client.namespace(), problem) ? others : told).add(problem);
        }
        told.addAll(withheld("the record of other clients' snapshots", others));
        return told;
    }

    private boolean mayTellOf(long id) {
        return client == null || catalogue.has(client.namespace(), id);
    }

    private List<String> withheld(String what, List<String> problems) {
        problems.forEach(this::log);
        return problems.isEmpty()
                ? List.of()
                : List.of(what + ": " + problems.size() + (problems.size() == 1 ? " problem" : " problems")
                        + "; the agent's log says which, and 'verify' to a client with the right 'prune'");
    }

    private void log(String problem) {
        if (client != null && logged <= MOST_LOGGED) {
            LOG.warn(
                    "a verification for client {}: {}",
                    client.client(),
                    logged == MOST_LOGGED ? "there is more: verify with the right 'prune'" : problem);
            logged++;
        }
    }
}
