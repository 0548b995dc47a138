// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.kill;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.dispersal.DispersalConfig;
import io.shredder.backup.agent.dispersal.home.Patience;
import io.shredder.backup.agent.dispersal.home.RemoteKeepers;
import io.shredder.backup.agent.dispersal.remote.RemoteHomes;
import io.shredder.backup.agent.dispersal.scrub.Replacement;
import io.shredder.backup.agent.dispersal.scrub.Scrub;
import io.shredder.backup.agent.session.TestSession;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.agent.store.StorePlace;
import io.shredder.backup.command.Logging;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.wire.TlsFiles;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * An agent over several keepers, in a process of its own that lives until it is killed. Its output says what was
 * promised: {@code open}, {@code committed ID SEED} once a backup is durable, {@code deleting ID} before a deletion,
 * {@code refused WHY} when it ends since too few keepers are there, {@code done} when it has mended or replaced.
 */
public final class KeeperLifeMain {

    static final String SERVES = "serves";
    static final String MENDS = "mends";
    static final String REPLACES = "replaces";
    static final int REFUSED = 3;

    private static final int CONTAINER_BYTES = 200_000;
    private static final int TABLE_ENTRIES = 256;
    private static final int MOST_SNAPSHOTS = 3;
    private static final Patience.Limits PATIENCE = new Patience.Limits(Duration.ofSeconds(20), Duration.ofMillis(50));

    private KeeperLifeMain() {}

    static RemoteKeepers remotes(TlsFiles files) throws IOException {
        return new RemoteHomes(files, PATIENCE);
    }

    /** Opens the repository as this and its tests do. */
    static Repository open(Path folder, Path keepers, RemoteKeepers remotes) throws IOException {
        StorePlace place = new StorePlace(folder, Optional.of(URI.create("disperse:" + keepers)), remotes);
        return Repository.open(place, Clock.systemUTC(), CONTAINER_BYTES, TABLE_ENTRIES);
    }

    /** What a backup of this seed has. Those of neighbouring seeds share much. */
    static List<StoredRegion> regions(long seed) {
        Random random = new Random(seed >> 2);
        List<StoredRegion> all = Samples.inRegions(random, Samples.chunks(random, 80, 8000));
        int from = (int) (seed & 3) * all.size() / 6;
        return all.subList(from, from + all.size() / 2);
    }

    /** Arguments: what it does, repository, list of keepers, certificate, key, authority, seed or keeper's place. */
    public static void main(String[] args) throws IOException {
        Logging.setUp("WARN");
        RemoteKeepers remotes = remotes(new TlsFiles(Path.of(args[3]), Path.of(args[4]), Path.of(args[5])));
        Path keepers = Path.of(args[2]);
        try {
            switch (args[0]) {
                case SERVES -> serve(open(Path.of(args[1]), keepers, remotes), Long.parseLong(args[6]));
                case MENDS -> mend(DispersalConfig.read(keepers, remotes));
                case REPLACES -> replace(DispersalConfig.read(keepers, remotes), Integer.parseInt(args[6]));
                default -> throw new IllegalArgumentException(args[0]);
            }
        } catch (IOException | AssertionError e) { // A session that gets no other answer than a failure asserts.
            e.printStackTrace();
            say("refused " + String.valueOf(e.getMessage()).lines().collect(Collectors.joining(" ")));
            System.exit(REFUSED);
        }
        say("done");
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    private static void mend(DispersalConfig config) throws IOException {
        try (Scrub scrub = Scrub.open(config, true)) {
            say("open");
            scrub.run((done, total) -> {});
        }
    }

    private static void replace(DispersalConfig config, int place) throws IOException {
        try (Replacement replacement = Replacement.open(config, place, Clock.systemUTC())) {
            say("open");
            replacement.run((done, total) -> {});
        }
    }

    private static void serve(Repository opened, long first) throws IOException {
        Deque<Long> mine = new ArrayDeque<>();
        try (Repository repository = opened;
                TestSession session = TestSession.open(repository)) {
            say("open");
            for (long seed = first; ; seed++) {
                long id = session.backUp("vm", regions(seed));
                say("committed " + id + " " + seed);
                mine.add(id);
                if (mine.size() > MOST_SNAPSHOTS) {
                    long old = mine.remove();
                    say("deleting " + old);
                    session.delete(old);
                    List<String> problems = session.collect(false).problems();
                    if (!problems.isEmpty()) {
                        throw new IOException(String.join("; ", problems));
                    }
                }
            }
        }
    }
}
