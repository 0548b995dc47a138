// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bars;

import io.shredder.it.agent.DispersalBench;
import io.shredder.it.coding.CoderPeers;
import io.shredder.it.coding.CoderRounds;
import io.shredder.it.coding.CoderRounds.Turn;
import io.shredder.it.coding.DigestCase;
import io.shredder.it.coding.HadoopCoders;
import io.shredder.it.coding.Identity;
import io.shredder.it.coding.IdentityCases;
import io.shredder.it.coding.RateCase;
import io.shredder.it.figures.Bar;
import io.shredder.it.figures.Machine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The erasure coder beside other people's, all in turns. Rates are GB/s of data by the thread's CPU time, of threads by
 * the clock.
 */
final class CodingBars implements BarSet {
    /** As {@code --only} takes them; what is coded by programs is {@code identity} and {@code kernels}. */
    static final List<String> PARTS = List.of("hadoop", "hdfs", "dispersal", "identity", "kernels");

    private static final String ISAL = "isal";
    private static final String KLAUSPOST = "klauspost-cauchy";
    private static final String LEOPARD = "leopard";
    private static final String PROBE = "probe";
    private static final String AVX2 = "avx2";
    private static final String STAGGERED = "staggered";
    private static final String JAVA = "java";
    private static final List<String> SAME_MATRIX = List.of(HadoopCoders.RS_JAVA, ISAL, KLAUSPOST);
    private static final List<String> REPORTED =
            List.of("jerasure-rs-van", "rust-simd", "rust-erasure", HadoopCoders.RS_JAVA);
    private static final int[][] SHAPES = {{6, 3}, {10, 4}, {17, 3}};
    private static final int HOT_BYTES = 64 << 10;
    private static final int JAVA_BYTES = 1 << 20;
    private static final int LARGER_SHAPES = 200;
    private static final int ROUNDS = 7;
    private static final long SEED = 25;
    private static final int DISPERSED_MIB = 512;
    private static final int DISPERSAL_ROUNDS = 5;
    private static final int DISPERSAL_WARM_UP_S = 20;

    @Override
    public void measure(Measuring measuring) throws IOException, InterruptedException {
        System.out.println(Machine.description());
        HadoopCodingBars.measure(measuring);
        if (measuring.has("dispersal")) {
            measuring.attempt("dispersal 4 + 2", () -> dispersal(measuring));
        }
        if (measuring.has("identity") || measuring.has("kernels")) {
            byPrograms(measuring);
        }
    }

    private static void byPrograms(Measuring measuring) throws IOException, InterruptedException {
        var ours = measuring.nativeBuild().resolve("shredder_coders");
        try (CoderPeers peers = CoderPeers.start(measuring.root(), ours, measuring.children())) {
            peers.missing().forEach(line -> measuring.record(Bar.notRun("peer", line)));
            if (peers.forms().isEmpty()) {
                throw new IOException("the coder's bars are for CPUs with AVX2");
            }
            var run = new Run(measuring, peers);
            if (measuring.has("identity")) {
                run.identities();
            }
            if (measuring.has("kernels")) {
                run.kernels();
            }
        }
    }

    /** One measuring of everything. */
    private record Run(Measuring measuring, CoderPeers peers) {
        void identities() throws InterruptedException {
            for (String peer : SAME_MATRIX) {
                measuring.attempt("same parity as " + peer, () -> identity(peer));
            }
        }

        void kernels() throws InterruptedException {
            for (int[] shape : SHAPES) {
                String name = name(shape[0], shape[1]);
                measuring.attempt(name + " hot", () -> hot(name, shape[0], shape[1]));
                measuring.attempt(name + " stream", () -> stream(name, shape[0], shape[1]));
                measuring.attempt(name + " decode", () -> decode(name, shape[0], shape[1]));
            }
            measuring.attempt("(64,128)", this::large);
            measuring.attempt("threads", this::threads);
        }

        private String best() {
            return peers.forms().get(peers.forms().size() - 1);
        }

        private void identity(String peer) throws IOException {
            String bar = "same parity as " + peer;
            if (!peers.has(peer)) {
                measuring.record(Bar.notRun(bar, "no " + peer));
                return;
            }
            var cases = new IdentityCases(SEED);
            identity(bar + ", every (k,m) to (16,16)", peer, cases.smallShapes());
            identity(bar + ", larger shapes", peer, cases.largerShapes(LARGER_SHAPES));
            identity(bar + ", lengths 1 to 4,096", peer, cases.lengths());
            identity(bar + ", every alignment", peer, cases.alignments());
        }

        private void identity(String bar, String peer, Stream<DigestCase> cases) throws IOException {
            Identity identity = Identity.of(peers, peer, cases);
            measuring.record(Bar.holds(bar, identity.holds(), identity.seen(), "all equal"));
        }

        private void hot(String name, int data, int parity) throws IOException {
            RateCase asked = RateCase.hot(data, parity, HOT_BYTES, STAGGERED);
            var names = new ArrayList<>(List.of(best(), KLAUSPOST, ISAL, AVX2, KLAUSPOST + "-avx2"));
            names.addAll(REPORTED);
            CoderRounds rounds = CoderRounds.of(
                    peers,
                    ROUNDS,
                    names.stream().map(coder -> new Turn(coder, asked)).toList());
            compare(rounds, name + " hot, 64 KiB, against klauspost", best(), KLAUSPOST, 1.0);
            compare(rounds, name + " hot, 64 KiB, against ISA-L", best(), ISAL, 1.3);
            compare(rounds, name + " hot, AVX2 alone, against klauspost", AVX2, KLAUSPOST + "-avx2", 1.0);
            for (String coder : REPORTED) {
                rounds.rate(coder)
                        .ifPresent(rate -> measuring.record(
                                Bar.reported(name + " hot, " + coder, String.format(Locale.ROOT, "%.2f GB/s", rate))));
            }
        }

        private void stream(String name, int data, int parity) throws IOException {
            RateCase apart = RateCase.stream(data, parity, STAGGERED);
            RateCase alike = RateCase.stream(data, parity, JAVA);
            RateCase hotApart = RateCase.hot(data, parity, JAVA_BYTES, STAGGERED);
            RateCase hotAlike = RateCase.hot(data, parity, JAVA_BYTES, JAVA);
            CoderRounds rounds = CoderRounds.of(
                    peers,
                    ROUNDS,
                    List.of(
                            new Turn(best(), apart),
                            new Turn(PROBE, apart),
                            new Turn(AVX2, apart),
                            new Turn("as Java, stream", best(), alike),
                            new Turn("staggered, hot", best(), hotApart),
                            new Turn("as Java, hot", best(), hotAlike)));
            compare(rounds, name + " stream of 320 MiB, against the memory", best(), PROBE, 0.85);
            compare(rounds, name + " stream, AVX2 alone, against the memory", AVX2, PROBE, 0.85);
            compare(rounds, name + " stream, cells as Java's, against staggered", "as Java, stream", best(), 0.85);
            compare(rounds, name + " hot, 1 MiB, as Java's, against staggered", "as Java, hot", "staggered, hot", 0.85);
        }

        private void decode(String name, int data, int parity) throws IOException {
            String decode = best() + ":decode";
            for (int losses = 1; losses <= parity; losses++) {
                RateCase asked = RateCase.hot(data, losses, HOT_BYTES, STAGGERED);
                CoderRounds rounds =
                        CoderRounds.of(peers, ROUNDS, List.of(new Turn(decode, asked), new Turn(best(), asked)));
                compare(rounds, name + " decode of " + losses + ", against encode", decode, best(), 0.95);
            }
        }

        private void large() throws IOException {
            RateCase asked = RateCase.hot(64, 128, HOT_BYTES, STAGGERED);
            List<Turn> turns = Stream.of(best(), LEOPARD, ISAL, AVX2, LEOPARD + "-avx2")
                    .map(coder -> new Turn(coder, asked))
                    .toList();
            CoderRounds rounds = CoderRounds.of(peers, ROUNDS, turns);
            compare(rounds, "(64,128) hot, 64 KiB, against Leopard", best(), LEOPARD, 1.2);
            compare(rounds, "(64,128) hot, 64 KiB, against ISA-L", best(), ISAL, 8);
            compare(rounds, "(64,128) hot, AVX2 alone, against Leopard", AVX2, LEOPARD + "-avx2", 1.2);
            RateCase half = RateCase.hot(64, 64, HOT_BYTES, STAGGERED);
            String decode = best() + ":decode";
            CoderRounds losses = CoderRounds.of(peers, 3, List.of(new Turn(decode, half), new Turn(best(), half)));
            compare(losses, "(64,64) decode of 64, against encode", decode, best(), 0.95);
        }

        private void threads() throws IOException {
            RateCase asked = RateCase.stream(6, 3, STAGGERED);
            String threads = best() + ":threads";
            CoderRounds rounds = CoderRounds.of(
                    peers, ROUNDS, List.of(new Turn(threads, asked), new Turn(PROBE + ":threads", asked)));
            int cores = Runtime.getRuntime().availableProcessors();
            compare(
                    rounds,
                    "(6,3) stream, " + cores + " threads, against the memory",
                    threads,
                    PROBE + ":threads",
                    0.85);
        }

        private void compare(CoderRounds rounds, String bar, String mine, String theirs, double needed) {
            Optional<Double> times = rounds.times(mine, theirs);
            if (times.isEmpty()) {
                measuring.record(
                        Bar.notRun(bar, "no figure of " + (rounds.rate(mine).isEmpty() ? mine : theirs)));
                return;
            }
            String beside = String.format(
                    Locale.ROOT,
                    "%s : %s, %.2f : %.2f GB/s",
                    mine,
                    theirs,
                    rounds.rate(mine).orElseThrow(),
                    rounds.rate(theirs).orElseThrow());
            measuring.record(Bar.atLeastTimes(bar, times.get(), needed, beside));
        }

        private static String name(int data, int parity) {
            return "(" + data + "," + parity + ")";
        }
    }

    /** A store over 4 + 2 keepers of this machine beside one folder. */
    private static void dispersal(Measuring measuring) throws IOException, InterruptedException {
        DispersalBench.Rates rates = new DispersalBench(DISPERSED_MIB, DISPERSAL_ROUNDS, DISPERSAL_WARM_UP_S).run();
        compare(measuring, "backup", rates.backup(), rates.plainBackup(), 0.8);
        compare(measuring, "restore", rates.all().rate(), rates.plain().rate(), 0.9);
        compare(
                measuring,
                "restore with 2 dead",
                rates.degraded().rate(),
                rates.plain().rate(),
                0.75);
        compare(
                measuring,
                "restore with 1 that is 100 x slower",
                rates.slowed().rate(),
                rates.plain().rate(),
                0.8);
    }

    private static void compare(Measuring measuring, String what, double rate, double plain, double needed) {
        measuring.record(Bar.atLeastTimes(
                "dispersal 4 + 2, " + what,
                rate / plain,
                needed,
                String.format(Locale.ROOT, "one folder, %.0f : %.0f MB/s", rate, plain)));
    }
}
