// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.session;

import io.shredder.backup.trial.Tally;
import io.shredder.backup.trial.Trial;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * One bit is flipped in a whole repository, byte after byte through all of its files. The agent refuses to start and
 * names the file, or {@code verify} reports it and restores of what needs the byte fail. What restores is right to the
 * bit. Where neither happens the byte must be one of those that say nothing ({@link #SAYS_NOTHING}), and everything
 * restores.
 */
public final class FlipTrial implements Trial {

    /**
     * Kinds of bytes of which a flip may go unseen: zeros that keep room, the process id in the lock, chunks that
     * nothing needs, and the line feed that ends the audit log. Then the last batch of the index's log: it can't be
     * told from one that a crash tore, and is made again from the containers. The last record of the catalogue's log:
     * its snapshot is then taken in again. Notes about damage: verify makes them again.
     */
    private static final Set<String> SAYS_NOTHING = Set.of(
            "audit log's end", "reserve", "lock", "garbage", "index log's end", "catalogue log's end", "damaged");

    @Override
    public String name() {
        return "flips";
    }

    @Override
    public Worker open(Path folder, long seed) throws IOException {
        FlipRepository sound = FlipRepository.make(folder.resolve("sound"), false);
        FlipRepository damaged = FlipRepository.make(folder.resolve("damaged"), true);
        return new Flips(List.of(sound, damaged));
    }

    private record Flips(List<FlipRepository> repositories) implements Worker {

        private static final long STRIDE = 7919;

        @Override
        public int attempt(long number, long seed, Tally tally) throws IOException {
            FlipRepository repository = repositories.get(0);
            // The stride is a prime, so every byte has its turn before any has another.
            int at = (int) (number * STRIDE % (repository.bytes() + FlipRepository.NOTE_BYTES));
            if (at >= repository.bytes()) {
                at = repositories.get(1).noteAt(at - repository.bytes());
                repository = repositories.get(1);
            }
            FlipRepository.Place place = repository.place(at);
            String seen = repository.flip(place, 1 << new Random(seed).nextInt(Byte.SIZE));
            if (seen.equals(FlipRepository.UNSEEN) && !SAYS_NOTHING.contains(place.kind())) {
                throw new AssertionError("a flip in " + place + " goes unseen");
            }
            tally.count(place.kind() + " " + seen);
            return 1;
        }

        @Override
        public void close() {}
    }
}
