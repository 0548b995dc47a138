// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.coding;

import io.shredder.it.coding.Coders.RefusedException;
import io.shredder.it.figures.Medians;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Rates of coders that took turns, so that what else the machine does falls on all of them. */
public final class CoderRounds {
    private final Map<String, List<Double>> rates = new LinkedHashMap<>();

    /** What one coder is asked for; the label tells apart what the same one does. */
    public record Turn(String label, String coder, RateCase asked) {
        public Turn(String coder, RateCase asked) {
            this(coder, coder, asked);
        }
    }

    /** Runs rounds of all turns; those of coders that are not here, or refuse, have no rate. */
    public static CoderRounds of(CoderPeers peers, int rounds, List<Turn> turns) throws IOException {
        var all = new CoderRounds();
        for (int round = 0; round < rounds; round++) {
            for (Turn turn : turns) {
                Coders coders = peers.of(turn.coder());
                if (coders == null) {
                    continue;
                }
                try {
                    double rate = coders.rate(turn.coder(), turn.asked());
                    all.rates
                            .computeIfAbsent(turn.label(), label -> new ArrayList<>())
                            .add(rate);
                } catch (RefusedException e) {
                    all.rates.remove(turn.label());
                }
            }
        }
        return all;
    }

    /** The median in GB/s; empty where it was not measured. */
    public Optional<Double> rate(String label) {
        return Optional.ofNullable(rates.get(label)).map(Medians::of);
    }

    /** The median of the rounds' ratios; empty unless both were measured. */
    public Optional<Double> times(String mine, String theirs) {
        List<Double> ours = rates.get(mine);
        List<Double> others = rates.get(theirs);
        if (ours == null || others == null) {
            return Optional.empty();
        }
        var ratios = new ArrayList<Double>();
        for (int i = 0; i < ours.size(); i++) {
            ratios.add(ours.get(i) / others.get(i));
        }
        return Optional.of(Medians.of(ratios));
    }
}
