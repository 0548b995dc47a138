// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.coding.figures;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.List;

/**
 * How a file is spread over nodes: any {@code data} of its shards give it back, and each lies on a node of its own. One
 * data shard means copies, which nobody codes.
 *
 * @param data number of data shards, k
 * @param parity number of shards more, m
 */
record Scheme(int data, int parity) {
    /** IStore's table III. */
    static final List<Scheme> TABLE_3 = List.of(
            new Scheme(1, 2),
            new Scheme(3, 5),
            new Scheme(5, 3),
            new Scheme(5, 11),
            new Scheme(11, 5),
            new Scheme(13, 3),
            new Scheme(26, 6),
            new Scheme(29, 3));

    String title() {
        return replicates() ? "REP-" + shards() : "IDA-" + data + ":" + parity;
    }

    boolean replicates() {
        return data == 1;
    }

    int shards() {
        return data + parity;
    }

    /** The share of what is stored that is data. */
    double efficiency() {
        return (double) data / shards();
    }

    /** The most data shards that can be lost while as many shards are left as a reader needs. */
    int mostLostData() {
        return Math.min(data, parity);
    }

    /**
     * The probability that a file can't be read: more than m of its nodes are among those that are down. 1 - A, since A
     * itself rounds to 1. Exact but for the last division.
     *
     * @param machines N, of which each file has n = k + m by chance
     * @param down M, how many of them are down
     */
    double unavailability(int machines, int down) {
        if (shards() > machines || down < 0 || down > machines) {
            throw new IllegalArgumentException(
                    title() + " on " + machines + " machines of which " + down + " are down: there are no such");
        }
        BigInteger unreadable = BigInteger.ZERO;
        for (int lost = parity + 1; lost <= shards(); lost++) {
            unreadable = unreadable.add(choices(down, lost).multiply(choices(machines - down, shards() - lost)));
        }
        return new BigDecimal(unreadable)
                .divide(new BigDecimal(choices(machines, shards())), MathContext.DECIMAL64)
                .doubleValue();
    }

    /** C(all, some). */
    private static BigInteger choices(int all, int some) {
        if (some > all) {
            return BigInteger.ZERO;
        }
        BigInteger choices = BigInteger.ONE;
        for (int i = 0; i < some; i++) {
            choices = choices.multiply(BigInteger.valueOf(all - i)).divide(BigInteger.valueOf(i + 1));
        }
        return choices;
    }
}
