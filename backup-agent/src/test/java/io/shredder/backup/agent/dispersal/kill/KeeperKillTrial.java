// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.kill;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.agent.dispersal.DispersalConfig;
import io.shredder.backup.agent.dispersal.RemovableFolders;
import io.shredder.backup.agent.dispersal.home.RemoteKeepers;
import io.shredder.backup.agent.dispersal.scrub.Replacement;
import io.shredder.backup.agent.dispersal.scrub.Scrub;
import io.shredder.backup.agent.dispersal.scrub.ScrubReport;
import io.shredder.backup.agent.dispersal.shard.Dispersal;
import io.shredder.backup.agent.session.TestSession;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.trial.Tally;
import io.shredder.backup.trial.Trial;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * {@code kill -9} of an agent and of up to m of its keepers, all processes over TLS, at random moments over backups,
 * deletions, collections, repairs and replacements, again and again on one repository. Keepers come back while the
 * agent works, or later. What was committed stays and restores bit for bit: with all keepers at once, after a repair
 * with any k of them; in the end with each choice of k.
 */
public final class KeeperKillTrial implements Trial {

    private static final int LONGEST_LIFE_MS = 2_000;
    private static final int KILLS_A_FULL_CHECK = 20;
    private static final int SNAPSHOTS_LOOKED_AT = 2;
    /** What a replacement says of a keeper that another, or the agent, has filled meanwhile. */
    private static final String FILLED = "and has everything";

    private final int data;
    private final int parity;

    /** Over data + parity keepers. */
    public KeeperKillTrial(int data, int parity) {
        this.data = data;
        this.parity = parity;
    }

    @Override
    public String name() {
        return "keeper-kills-" + data + "-" + parity;
    }

    @Override
    public Worker open(Path folder, long seed) throws Exception {
        return new Round(folder, data, parity);
    }

    private static final class Round implements Worker {

        private final Path folder;
        private final int parity;
        /**
         * With so many away an agent may refuse: too few are left for a change, or for what lives before wrote without
         * others.
         */
        private final int mayLack;

        private final KillableKeepers keepers;
        private final RemoteKeepers remotes;
        private final ExecutorService killers = Executors.newCachedThreadPool();
        /** Seeds of what was committed and never to be deleted, by id. */
        private final Map<Long, Long> promised = new TreeMap<>();
        /** A keeper that lacks what its lost disk had. */
        private OptionalInt replaced = OptionalInt.empty();

        private long nextSeed;
        private int attempts;

        Round(Path folder, int data, int parity) throws IOException {
            this.folder = folder;
            this.parity = parity;
            int least = new Dispersal(new UUID(0, 0), data, parity).leastToChange();
            this.mayLack = 1 + Math.min(data + parity - least, least - data);
            this.keepers = new KillableKeepers(folder, data, parity);
            this.remotes = KeeperLifeMain.remotes(keepers.client());
        }

        private Path repository() {
            return folder.resolve("repo");
        }

        private DispersalConfig config() throws IOException {
            return DispersalConfig.read(keepers.list(), remotes);
        }

        @Override
        public int attempt(long number, long seed, Tally tally) throws Exception {
            Random random = new Random(seed);
            keepers.startAll();
            attempts++;
            String life = attempts == 1 ? KeeperLifeMain.SERVES : anyLife(random.nextInt(10));
            if (life.equals(KeeperLifeMain.REPLACES) && replaced.isEmpty()) {
                loseADisk(random, tally);
            }
            List<Integer> victims = attempts == 1 ? List.of() : victims(random); // A store is made with all of them.
            live(life, victims, random, tally);
            tally.count(life);
            tally.add("keepers killed", victims.size());
            keepers.startAll();
            if (attempts % KILLS_A_FULL_CHECK == 0) {
                check(random, tally);
            } else {
                look(tally);
            }
            return 1;
        }

        /** Half of the lives after a disk was lost fill another, until one comes to the end of that. */
        private String anyLife(int kind) {
            if (replaced.isPresent()) {
                return kind < 5 ? KeeperLifeMain.SERVES : KeeperLifeMain.REPLACES;
            }
            return kind < 7 ? KeeperLifeMain.SERVES : kind < 8 ? KeeperLifeMain.MENDS : KeeperLifeMain.REPLACES;
        }

        /** Only where all others have everything: m more of them may be away then. */
        private void loseADisk(Random random, Tally tally) throws IOException {
            mend(tally);
            int place = random.nextInt(parity);
            keepers.kill(place);
            keepers.loseDisk(place, "lost" + attempts);
            keepers.start(place);
            replaced = OptionalInt.of(place);
        }

        /** Mostly some, up to m, fewer if one lacks everything already. */
        private List<Integer> victims(Random random) {
            List<Integer> places = IntStream.range(0, keepers.folders().count())
                    .filter(place -> place != replaced.orElse(-1))
                    .boxed()
                    .collect(Collectors.toList());
            Collections.shuffle(places, random);
            int most = replaced.isPresent() ? parity - 1 : parity;
            return places.subList(0, most == 0 || random.nextInt(5) == 0 ? 0 : 1 + random.nextInt(most));
        }

        /** One life of an agent, in which keepers die, and at the end of which it is killed itself. */
        private void live(String life, List<Integer> victims, Random random, Tally tally) throws Exception {
            boolean early = random.nextInt(4) == 0;
            if (early) {
                victims.forEach(keepers::kill);
            }
            Process process = launch(life);
            List<String> said = Collections.synchronizedList(new ArrayList<>());
            try (BufferedReader out = process.inputReader()) {
                String first = out.readLine();
                if (first != null) {
                    said.add(first);
                }
                Future<?> keeperKiller = killers.submit(() -> {
                    killInTurn(early ? List.of() : victims, random.nextLong());
                    return null;
                });
                KillableKeepers.pause(random.nextInt(LONGEST_LIFE_MS));
                process.toHandle().destroyForcibly(); // Which leaves open what it has said so far.
                keeperKiller.get();
                out.lines().forEach(said::add);
            }
            int exit = process.waitFor();
            said.forEach(line -> note(line, tally));
            boolean isFilled = said.stream().anyMatch(line -> line.contains(FILLED));
            boolean mayRefuse = isFilled || victims.size() + replaced.stream().count() >= mayLack;
            assertThat(exit)
                    .as(() -> life + ", killed " + victims + ", replaced " + replaced + ": " + said + "\n" + log())
                    .isIn(mayRefuse ? List.of(0, 137, KeeperLifeMain.REFUSED) : List.of(0, 137));
            if (isFilled || (life.equals(KeeperLifeMain.REPLACES) && said.contains("done"))) {
                replaced = OptionalInt.empty();
                tally.count("disks replaced");
            } else if (exit == KeeperLifeMain.REFUSED) {
                tally.count("refused, too few");
            }
        }

        /** Each after a moment; some start again while the agent works. */
        private void killInTurn(List<Integer> victims, long seed) throws IOException {
            Random random = new Random(seed);
            for (int victim : victims) {
                KillableKeepers.pause(random.nextInt(LONGEST_LIFE_MS / 2));
                keepers.kill(victim);
                if (random.nextBoolean()) {
                    keepers.start(victim);
                }
            }
        }

        private Process launch(String life) throws IOException {
            List<String> words = List.of(
                    life,
                    repository().toString(),
                    keepers.list().toString(),
                    keepers.client().certificate().toString(),
                    keepers.client().key().toString(),
                    keepers.client().authority().toString(),
                    String.valueOf(life.equals(KeeperLifeMain.REPLACES) ? replaced.orElseThrow() : nextSeed));
            return new ProcessBuilder(KillableKeepers.program(KeeperLifeMain.class, words))
                    .redirectError(logFile().toFile())
                    .start();
        }

        private Path logFile() {
            return folder.resolve("agent.log");
        }

        private String log() {
            try {
                return Files.readString(logFile());
            } catch (IOException e) {
                return e.toString();
            }
        }

        /** A line may be torn by the kill; then nobody was told. */
        private void note(String line, Tally tally) {
            String[] words = line.split(" ");
            if (words[0].equals("committed") && words.length == 3) {
                nextSeed = Long.parseLong(words[2]) + 1;
                promised.put(Long.parseLong(words[1]), nextSeed - 1);
                tally.count("backups");
            } else if (words[0].equals("deleting") && words.length == 2) {
                promised.remove(Long.parseLong(words[1]));
                tally.count("deletions");
            }
        }

        private interface Use {
            void with(Repository repository, TestSession session) throws IOException;
        }

        private void use(Use use) throws IOException {
            try (Repository repository = KeeperLifeMain.open(repository(), keepers.list(), remotes);
                    TestSession session = TestSession.open(repository)) {
                use.with(repository, session);
            }
        }

        private void assertRestores(Repository repository, TestSession session, int least, Tally tally)
                throws IOException {
            assertThat(repository.catalogue().ids()).containsAll(promised.keySet());
            for (Map.Entry<Long, Long> each : List.copyOf(promised.entrySet()).subList(least, promised.size())) {
                session.assertRestores(each.getKey(), KeeperLifeMain.regions(each.getValue()));
                tally.count("restores");
            }
        }

        /** With all keepers, before anything is mended: the last few. */
        private void look(Tally tally) throws IOException {
            int least = Math.max(0, promised.size() - SNAPSHOTS_LOOKED_AT);
            use((repository, session) -> assertRestores(repository, session, least, tally));
        }

        /** With all keepers, then with any k; then the older half goes. */
        private void check(Random random, Tally tally) throws IOException {
            use((repository, session) -> {
                assertRestores(repository, session, 0, tally);
                assertThat(session.problems()).isEmpty();
            });
            mend(tally);
            List<List<Integer>> choices =
                    RemovableFolders.choices(keepers.folders().count(), parity);
            choices.get(random.nextInt(choices.size())).forEach(keepers::kill);
            use((repository, session) -> assertRestores(repository, session, 0, tally));
            keepers.startAll();
            use((repository, session) -> {
                List<Long> all = List.copyOf(repository.catalogue().ids());
                for (long id : all.subList(0, all.size() / 2)) {
                    promised.remove(id);
                    session.delete(id);
                }
                assertThat(session.collect(false).problems()).isEmpty();
            });
        }

        /** Goes on with what lives began, unless one of an agent came to its end. */
        private void fill(int place) throws IOException {
            try (Replacement replacement = Replacement.open(config(), place, Clock.systemUTC())) {
                assertThat(replacement.run((done, total) -> {}).left()).isEmpty();
            } catch (IOException e) {
                assertThat(e).hasMessageContaining(FILLED);
            }
        }

        /** Gives each keeper all that it should have. */
        private void mend(Tally tally) throws IOException {
            if (replaced.isPresent()) {
                fill(replaced.getAsInt());
                replaced = OptionalInt.empty();
                tally.count("disks replaced");
            }
            try (Scrub scrub = Scrub.open(config(), true)) {
                ScrubReport report = scrub.run((done, total) -> {});
                assertThat(report.isSound()).as(() -> report.toString()).isTrue();
                tally.add("mended", report.findings().size());
            }
            try (Scrub scrub = Scrub.open(config(), false)) {
                ScrubReport report = scrub.run((done, total) -> {});
                assertThat(report.isSound() && report.findings().isEmpty())
                        .as(() -> report.toString())
                        .isTrue();
            }
            tally.count("repairs");
        }

        /** Each choice of k restores everything; without an attempt there is no store yet. */
        @Override
        public void close() throws Exception {
            try (keepers) {
                if (attempts == 0) {
                    return;
                }
                Tally tally = new Tally();
                mend(tally);
                keepers.killAll();
                keepers.listFolders();
                RemovableFolders folders = keepers.folders();
                for (List<Integer> choice : RemovableFolders.choices(folders.count(), folders.data())) {
                    List<Integer> away = folders.takeAwayAllBut(choice);
                    use((repository, session) -> assertRestores(repository, session, 0, tally));
                    folders.bringBack(away);
                }
            } finally {
                killers.shutdownNow();
            }
        }
    }
}
