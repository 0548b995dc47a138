// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.trial.Tally;
import io.shredder.backup.trial.Trial;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Clients that have {@code append} alone attack an agent's process, from all workers at once, while its genuine clients
 * back up, restore, prune by rules, collect, copy and repair. No genuine snapshot that the rules keep is lost, no
 * genuine operation fails.
 */
public final class HostileTrial implements Trial {

    /** An agent lets a client have 16 connections. */
    public static final int MOST_WORKERS = 12;

    private static final long MOST_RESIDENT_BYTES = 600_000_000;

    private @Nullable HostileSite site;
    private @Nullable GenuineLife life;

    @Override
    public String name() {
        return "hostile";
    }

    @Override
    public synchronized Worker open(Path folder, long seed) throws Exception {
        if (site == null) {
            HostileSite made = new HostileSite(folder.resolveSibling(folder.getFileName() + "-site"));
            site = made;
            life = new GenuineLife(made, new Random(seed));
            life.start();
        }
        return new Attackers(site, Objects.requireNonNull(life));
    }

    private record Attackers(HostileSite site, GenuineLife life) implements Worker {

        @Override
        public int attempt(long number, long seed, Tally tally) throws IOException {
            life.check();
            site.first().checkLives();
            new HostileConnection(site, new Random(seed), tally).run();
            return 1;
        }

        @Override
        public void close() {}
    }

    @Override
    public String finish() throws IOException, InterruptedException {
        HostileSite attacked = site;
        GenuineLife genuine = life;
        if (attacked == null || genuine == null) {
            return "";
        }
        try (attacked) {
            String operations = genuine.end();
            AgentProcess.Size size = attacked.first().size();
            String log = attacked.first().log();
            if (size.mostResidentBytes() > MOST_RESIDENT_BYTES || log.contains("bug while") || log.contains("\tat ")) {
                throw new AssertionError("the agent: " + size + "; its log: " + log);
            }
            return "genuine operations " + operations + "; agent: " + size;
        }
    }
}
