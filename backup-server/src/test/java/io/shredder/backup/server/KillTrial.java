// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.trial.Tally;
import io.shredder.backup.trial.Trial;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * {@code kill -9} of agent or command at random moments over backup, prune and collection, beside each other and with
 * the index's merges, again and again on one repository. What was committed stays and restores bit for bit, what was
 * pruned stays away, the next backup succeeds, and a collection leaves nothing that nobody needs. On LazyFS an agent
 * that is killed loses what it had not forced, too.
 */
public final class KillTrial implements Trial {

    private final String name;
    private final Optional<Path> lazyfs;

    private KillTrial(String name, Optional<Path> lazyfs) {
        this.name = name;
        this.lazyfs = lazyfs;
    }

    /** Kills alone. */
    public static KillTrial ofProcesses() {
        return new KillTrial("kills", Optional.empty());
    }

    /**
     * Power failures of agents.
     *
     * @param lazyfs the program
     */
    public static KillTrial onLazyFs(Path lazyfs) {
        return new KillTrial("lazyfs", Optional.of(lazyfs));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Worker open(Path folder, long seed) throws Exception {
        return new Round(folder, seed, lazyfs);
    }

    private static final class Round implements Worker {

        private static final int ROUNDS_A_FULL_CHECK = 20;
        private static final int MOST_SNAPSHOTS = 8;
        private static final int KEPT_SNAPSHOTS = 4;
        private static final String BACKUP = "backup";
        private static final String PRUNE = "prune";
        private static final String COLLECT = "gc";

        private final KillSite site;
        private final PooledImage image;
        private final SnapshotModel model;
        /** How long each kind of operation takes when nobody is killed, in milliseconds. */
        private final TreeMap<String, Double> lengthsMs = new TreeMap<>();

        private int rounds;

        Round(Path folder, long seed, Optional<Path> lazyfs) throws Exception {
            this.site = new KillSite(folder, lazyfs);
            this.image = new PooledImage(folder.resolve("image"), seed, new Random(seed));
            this.model = new SnapshotModel(site);
            backUp();
            model.check(new Random(seed));
        }

        @Override
        public int attempt(long number, long seed, Tally tally) throws Exception {
            Random random = new Random(seed);
            rounds++;
            image.change(random);
            if (random.nextBoolean()) {
                killAgent(random, tally);
            } else {
                killCommand(random, tally);
            }
            tally.count(model.check(random));
            image.change(random);
            backUp();
            model.check(random);
            if (model.size() > MOST_SNAPSHOTS) {
                model.prune(model.oldest(model.size() - KEPT_SNAPSHOTS));
            }
            if (rounds % ROUNDS_A_FULL_CHECK == 0) {
                fullCheck(tally);
            }
            return 1;
        }

        /** A backup that nobody disturbs. */
        private void backUp() throws Exception {
            long startNs = System.nanoTime();
            model.backupBegins(image.digest());
            String failure = site.command(command(BACKUP, null));
            if (failure != null) {
                throw new AssertionError("the next backup fails: " + failure);
            }
            model.backupDone();
            measured("agent in " + BACKUP, startNs);
        }

        private List<String> command(String operation, @Nullable List<Long> pruned) {
            return switch (operation) {
                case BACKUP -> List.of(BACKUP, image.file().toString(), "--name", "vm", "--avg", "1k");
                case PRUNE ->
                    List.of(
                            PRUNE,
                            "--id",
                            String.join(
                                    ",", pruned.stream().map(String::valueOf).toList()));
                default -> List.of(COLLECT, "--min-garbage", "0");
            };
        }

        private void measured(String what, long startNs) {
            double lengthMs = (System.nanoTime() - startNs) / 1e6;
            lengthsMs.merge(what, lengthMs, (before, now) -> 0.7 * before + 0.3 * now);
        }

        private long momentNs(String what, Random random) {
            return Math.round(lengthsMs.getOrDefault(what, 150.0) * random.nextDouble() * 1e6);
        }

        /** One to three operations at once, each in a thread of this process, and their agent is killed. */
        private void killAgent(Random random, Tally tally) throws Exception {
            List<String> operations = new ArrayList<>();
            operations.add(random.nextInt(4) > 0 ? BACKUP : COLLECT);
            if (random.nextInt(3) == 0) {
                operations.add(operations.contains(COLLECT) ? BACKUP : COLLECT);
            }
            if (random.nextInt(3) == 0 && model.size() > 2) {
                operations.add(PRUNE);
            }
            List<Thread> threads = new ArrayList<>();
            long momentNs = momentNs("agent in " + operations.get(random.nextInt(operations.size())), random);
            for (String operation : operations) {
                List<Long> pruned = operation.equals(PRUNE) ? model.someToPrune(random) : null;
                threads.add(new Thread(() -> operate(operation, pruned), "operation-" + operation));
                tally.count("agent killed in " + operation);
                if (operation.equals(BACKUP)) {
                    model.backupBegins(image.digest());
                }
            }
            threads.forEach(Thread::start);
            if (random.nextInt(3) == 0) {
                awaitChangedFiles(1 + random.nextInt(12), momentNs);
                LockSupport.parkNanos(random.nextInt(1_500_000));
            } else {
                LockSupport.parkNanos(momentNs);
            }
            site.killAgent();
            for (Thread thread : threads) {
                thread.join();
            }
            int runs = site.indexRuns();
            site.startAgent();
            if (site.indexRuns() < runs) {
                tally.count("agent killed in a merge");
            }
        }

        /** Where files come and go is where a death may hurt: waits until they have so many times, at most so long. */
        private void awaitChangedFiles(int times, long limitNs) {
            long deadlineNs = System.nanoTime() + limitNs;
            Set<String> before = site.fileNames();
            for (int seen = 0; seen < times && System.nanoTime() < deadlineNs; ) {
                Set<String> now = site.fileNames();
                seen += now.equals(before) ? 0 : 1;
                before = now;
            }
        }

        private void operate(String operation, @Nullable List<Long> pruned) {
            long startNs = System.nanoTime();
            if (site.command(command(operation, pruned)) == null) {
                synchronized (model) {
                    measured("agent in " + operation, startNs);
                    model.done(operation.equals(BACKUP), pruned);
                }
            }
        }

        private void killCommand(Random random, Tally tally) throws Exception {
            int dice = random.nextInt(6);
            String operation = dice < 3 ? BACKUP : dice < 5 || model.size() < 3 ? COLLECT : PRUNE;
            List<Long> pruned = operation.equals(PRUNE) ? model.someToPrune(random) : null;
            if (operation.equals(BACKUP)) {
                model.backupBegins(image.digest());
            }
            int clients = site.clientsSoFar();
            Process process = site.start(command(operation, pruned));
            String what = "command in " + operation;
            boolean anyMoment = random.nextInt(8) == 0; // Connecting included.
            if (!anyMoment) {
                site.awaitClient(clients, process);
            }
            long startNs = System.nanoTime();
            boolean ended = process.waitFor(momentNs(what, random), TimeUnit.NANOSECONDS);
            if (ended && !anyMoment) {
                measured(what, startNs);
            }
            process.destroyForcibly();
            if (process.waitFor() == 0) {
                model.done(operation.equals(BACKUP), pruned);
                tally.count("ended before: " + what);
            } else if (ended) {
                throw new AssertionError(what + " failed by itself: see server.log");
            } else {
                tally.count("killed: " + what);
            }
            site.awaitNoClient();
        }

        private void fullCheck(Tally tally) throws Exception {
            model.checkAll();
            String failure = site.command(command(COLLECT, null));
            if (failure != null) {
                throw new AssertionError(failure);
            }
            model.checkNothingLeaks();
            site.restartAgent();
            model.checkAll();
            tally.count("full check");
        }

        @Override
        public void close() throws Exception {
            site.close();
        }
    }
}
