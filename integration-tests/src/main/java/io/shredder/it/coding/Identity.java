// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.coding;

import io.shredder.it.coding.Coders.RefusedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Whether coders compute the same parity. */
public final class Identity {
    private int cases;
    private int refused;
    private final List<String> differences = new ArrayList<>();

    /** Compares every form of the engine with a peer; cases that the peer does not take are counted. */
    public static Identity of(CoderPeers peers, String peer, Stream<DigestCase> cases) throws IOException {
        var identity = new Identity();
        for (DigestCase asked : cases.toList()) {
            identity.compare(peers, peer, asked);
        }
        return identity;
    }

    private void compare(CoderPeers peers, String peer, DigestCase asked) throws IOException {
        String theirs;
        try {
            theirs = coders(peers, peer).digest(peer, asked);
        } catch (RefusedException e) {
            refused++;
            return;
        }
        cases++;
        for (String form : peers.forms()) {
            String ours;
            try {
                ours = coders(peers, form).digest(form, asked);
            } catch (RefusedException e) {
                ours = String.valueOf(e.getMessage());
            }
            if (!ours.equals(theirs)) {
                differences.add(form + " and " + peer + ": " + asked);
            }
        }
    }

    private static Coders coders(CoderPeers peers, String name) throws IOException {
        Coders coders = peers.of(name);
        if (coders == null) {
            throw new IOException("no " + name);
        }
        return coders;
    }

    public boolean holds() {
        return cases > 0 && differences.isEmpty();
    }

    /** How many cases were equal, and the first that was not. */
    public String seen() {
        String text =
                (differences.isEmpty() ? cases + " equal" : differences.size() + " differ, " + differences.get(0));
        return refused == 0 ? text : text + "; " + refused + " that it does not take";
    }
}
