// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.seal.Keys;
import io.shredder.backup.trial.Tally;
import io.shredder.backup.trial.Trial;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import java.util.SortedMap;

/**
 * Deleted, exchanged, older and duplicated files of every kind, and whole folders, in a repository; and a live agent
 * that answers with other valid data, or an earlier state. It is named at the start, by {@code verify}, by whoever
 * prunes or collects, or by the client, before anything is freed that a snapshot needs, or restored to other bytes.
 */
public final class FilesTrial implements Trial {

    @Override
    public String name() {
        return "files";
    }

    @Override
    public Worker open(Path folder, long seed) throws IOException {
        Random random = new Random(seed);
        RepositoryLife life = RepositoryLife.live(folder.resolve("life"), Keys.counted(), random);
        try (RepositoryLife foreign = RepositoryLife.live(folder.resolve("foreign"), Keys.counted(), random)) {
            return new Tampered(folder, life, foreign.last().files());
        }
    }

    private record Tampered(Path folder, RepositoryLife life, SortedMap<String, byte[]> foreign) implements Worker {

        private static final int LIES = 4;

        @Override
        public int attempt(long number, long seed, Tally tally) throws IOException {
            Random random = new Random(seed);
            if (random.nextInt(LIES) == 0) {
                LyingAgent.Lie lie = LyingAgent.Lie.any(random);
                tally.count("agent lies (" + lie + "): " + new LyingAgent(folder, life, foreign, random).judge(lie));
            } else {
                Tampering tampering = Tampering.any(random, life.states(), foreign);
                tally.count(tampering.kind() + ": " + new TamperedRepository(folder, life, random).judge(tampering));
            }
            return 1;
        }

        @Override
        public void close() {
            life.close();
        }
    }
}
