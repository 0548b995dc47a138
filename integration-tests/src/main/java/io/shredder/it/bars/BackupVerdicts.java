// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bars;

import io.shredder.it.backup.Measured;
import io.shredder.it.backup.Operation;
import io.shredder.it.backup.ShredderContender;
import io.shredder.it.backup.Sources;
import io.shredder.it.figures.Bar;
import io.shredder.it.figures.Medians;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The bars of what was measured: each round of ours beside that of the peer whose median of the same run is best. */
final class BackupVerdicts {
    private static final String FIXED_BLOCKS = "borg-fixed";
    private static final double MOST_ADDED_MB = 260;
    private static final double MOST_RESIDENT_MB = 600;

    /** Times the best peer's rate that are needed. */
    private static final Map<Operation, Double> NEEDED = new TreeMap<>(Map.of(
            Operation.FIRST, 1.5,
            Operation.UNCHANGED, 3.0,
            Operation.CHANGED, 2.0,
            Operation.RESTORE, 1.3,
            Operation.LOCAL_RESTORE, 1.3,
            Operation.VERIFY, 1.5));

    private final List<Measured> measured;
    private final Sources sources;
    private final List<Bar> bars = new ArrayList<>();

    BackupVerdicts(List<Measured> measured, Sources sources) {
        this.measured = measured;
        this.sources = sources;
    }

    /** A line each; what our side did not measure is left out. */
    List<Bar> bars() {
        NEEDED.forEach(this::rate);
        fixedBlocks();
        sizes();
        prune();
        memory();
        restored();
        return bars;
    }

    private void rate(Operation operation, double needed) {
        ToDoubleFunction<Measured> rate = Measured::megabytesPerSecond;
        Optional<Value> ours = ours(operation, rate);
        if (ours.isEmpty()) {
            return;
        }
        String name = "backup, " + operation.title() + ": MB/s of source";
        List<Value> peers = peers(operation.restores() ? Operation.RESTORE : operation, rate);
        Optional<Value> best = peers.stream().max(Comparator.comparing(Value::amount));
        if (best.isEmpty()) {
            bars.add(Bar.reported(name, ours.get().text("MB/s")));
            return;
        }
        double times = times(operation, best.get().name());
        bars.add(Bar.atLeastTimes(name, times, needed, all(ours.get(), peers)));
    }

    /** The median of the rounds: within one, both ran close together in time. */
    private double times(Operation operation, String peer) {
        Operation peers = operation.restores() ? Operation.RESTORE : operation;
        List<Double> rounds = new ArrayList<>();
        for (Measured our : rows(ShredderContender.NAME, operation)) {
            for (Measured other : rows(peer, peers)) {
                if (our.round() == other.round()) {
                    rounds.add(our.megabytesPerSecond() / other.megabytesPerSecond());
                }
            }
        }
        return rounds.isEmpty() ? 0 : Medians.of(rounds);
    }

    /** Reading an unchanged disk by content must not lose to reading it in blocks of a fixed length. */
    private void fixedBlocks() {
        ToDoubleFunction<Measured> rate = Measured::megabytesPerSecond;
        Optional<Value> ours = ours(Operation.UNCHANGED, rate);
        Optional<Value> fixed = of(FIXED_BLOCKS, Operation.UNCHANGED, rate);
        if (ours.isPresent() && fixed.isPresent()) {
            bars.add(Bar.atLeastTimes(
                    "backup, unchanged, beside fixed blocks",
                    times(Operation.UNCHANGED, FIXED_BLOCKS),
                    1.0,
                    all(ours.get(), List.of(fixed.get()))));
        }
    }

    private void sizes() {
        smallest("repository after both versions: MB", this::repositoryMegabytes, Double.MAX_VALUE);
        smallest("added by the changed image: MB", this::addedMegabytes, MOST_ADDED_MB);
    }

    private Optional<Double> repositoryMegabytes(String contender) {
        return of(contender, Operation.CHANGED, one -> one.repositoryBytes() / 1e6)
                .map(Value::amount);
    }

    private Optional<Double> addedMegabytes(String contender) {
        Optional<Double> before = of(contender, Operation.UNCHANGED, one -> one.repositoryBytes() / 1e6)
                .or(() -> of(contender, Operation.FIRST, one -> one.repositoryBytes() / 1e6))
                .map(Value::amount);
        return before.flatMap(bytes -> repositoryMegabytes(contender).map(after -> after - bytes));
    }

    private void smallest(String name, Function<String, Optional<Double>> figure, double most) {
        Optional<Value> ours = figure.apply(ShredderContender.NAME).map(mb -> new Value(ShredderContender.NAME, mb));
        if (ours.isEmpty()) {
            return;
        }
        List<Value> peers = peerNames().stream()
                .flatMap(peer -> figure.apply(peer).map(mb -> new Value(peer, mb)).stream())
                .toList();
        double best = peers.stream().mapToDouble(Value::amount).min().orElse(Double.MAX_VALUE);
        double limit = Math.min(best, most);
        String seen = all(ours.get(), peers);
        bars.add(
                limit == Double.MAX_VALUE
                        ? Bar.reported(name, seen)
                        : Bar.holds(
                                name,
                                ours.get().amount() <= limit,
                                seen,
                                String.format(Locale.ROOT, "at most %.0f", limit)));
    }

    /** Beside those peers that give back at least nine tenths of the bytes that we do. */
    private void prune() {
        Optional<Value> ours = ours(Operation.PRUNE, Measured::seconds);
        if (ours.isEmpty()) {
            return;
        }
        double freed = freedMegabytes(ShredderContender.NAME);
        List<Value> peers = peers(Operation.PRUNE, Measured::seconds);
        double best = peers.stream()
                .filter(peer -> freedMegabytes(peer.name()) >= 0.9 * freed)
                .mapToDouble(Value::amount)
                .min()
                .orElse(Double.NaN);
        var text = new StringBuilder();
        var everybody = new ArrayList<>(List.of(ours.get()));
        everybody.addAll(peers);
        everybody.forEach(one -> text.append(text.isEmpty() ? "" : ", ")
                .append(String.format(
                        Locale.ROOT, "%s %.2f s (-%.0f MB)", one.name(), one.amount(), freedMegabytes(one.name()))));
        String name = "prune the first version and collect";
        bars.add(
                Double.isNaN(best)
                        ? Bar.reported(name, text.toString())
                        : Bar.holds(
                                name,
                                ours.get().amount() <= best,
                                text.toString(),
                                String.format(Locale.ROOT, "at most %.2f s", best)));
    }

    private double freedMegabytes(String contender) {
        return repositoryMegabytes(contender).orElse(Double.NaN)
                - of(contender, Operation.PRUNE, one -> one.repositoryBytes() / 1e6)
                        .map(Value::amount)
                        .orElse(Double.NaN);
    }

    private void memory() {
        ToDoubleFunction<Measured> peak = one -> one.peakBytes() / 1e6;
        var mine = measured.stream().filter(BackupVerdicts::isOurs).toList();
        if (mine.isEmpty()) {
            return;
        }
        Measured worst = mine.stream().max(Comparator.comparingDouble(peak)).get();
        var beside = new ArrayList<String>();
        for (String peer : peerNames()) {
            double most = measured.stream()
                    .filter(one -> one.contender().equals(peer))
                    .mapToDouble(peak)
                    .max()
                    .orElse(0);
            beside.add(String.format(Locale.ROOT, "%s %.0f", peer, most));
        }
        String seen = String.format(
                Locale.ROOT,
                "%.0f MB in %s",
                peak.applyAsDouble(worst),
                worst.operation().title());
        bars.add(Bar.holds(
                "memory resident, server and agent",
                peak.applyAsDouble(worst) <= MOST_RESIDENT_MB,
                beside.isEmpty() ? seen : seen + "; " + String.join(", ", beside),
                String.format(Locale.ROOT, "at most %.0f MB", MOST_RESIDENT_MB)));
    }

    /** The lab fails a round whose restored file differs from its source in any byte. */
    private void restored() {
        long files = measured.stream().filter(one -> one.operation().restores()).count();
        if (files > 0) {
            bars.add(Bar.holds(
                    "restored files equal their sources",
                    true,
                    files + " of " + files + " files of " + sources.bytes() + " bytes",
                    "all"));
        }
    }

    /** A contender's median. */
    private record Value(String name, double amount) {
        String text(String unit) {
            return String.format(Locale.ROOT, "%s %.0f %s", name, amount, unit).strip();
        }
    }

    private static String all(Value ours, List<Value> peers) {
        var texts = new ArrayList<>(List.of(ours.text("")));
        peers.forEach(peer -> texts.add(peer.text("")));
        return "(" + String.join(", ", texts) + ")";
    }

    private Optional<Value> ours(Operation operation, ToDoubleFunction<Measured> amount) {
        return of(ShredderContender.NAME, operation, amount);
    }

    private List<Value> peers(Operation operation, ToDoubleFunction<Measured> amount) {
        return peerNames().stream()
                .flatMap(peer -> of(peer, operation, amount).stream())
                .toList();
    }

    /** Peers that chunk by content, as far as they were measured. */
    private List<String> peerNames() {
        return measured.stream()
                .map(Measured::contender)
                .filter(name -> !name.equals(ShredderContender.NAME) && !name.equals(FIXED_BLOCKS))
                .distinct()
                .toList();
    }

    private Optional<Value> of(String contender, Operation operation, ToDoubleFunction<Measured> amount) {
        List<Double> amounts =
                rows(contender, operation).stream().map(amount::applyAsDouble).toList();
        return amounts.isEmpty() ? Optional.empty() : Optional.of(new Value(contender, Medians.of(amounts)));
    }

    private List<Measured> rows(String contender, Operation operation) {
        return measured.stream()
                .filter(one -> one.contender().equals(contender) && one.operation() == operation)
                .toList();
    }

    private static boolean isOurs(Measured one) {
        return one.contender().equals(ShredderContender.NAME);
    }
}
