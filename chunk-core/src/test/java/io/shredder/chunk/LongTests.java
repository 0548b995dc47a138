// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk;

import java.util.Random;

/** How much of a test is run: {@code ./run test --long} has what takes too long for every run. */
public final class LongTests {

    /** The environment's variable that asks for them, by the value 1. */
    public static final String VARIABLE = "SHREDDER_LONG_TESTS";

    private static final boolean ASKED_FOR = "1".equals(System.getenv(VARIABLE));

    private LongTests() {}

    /** Whether everything is to run, however long it takes. */
    public static boolean askedFor() {
        return ASKED_FOR;
    }

    /** Whether one of very many cases is run: each with all long tests, and else one of so many, as it is drawn. */
    public static boolean tries(Random random, int oneOf) {
        return ASKED_FOR || random.nextInt(oneOf) == 0;
    }

    /** How often something is tried: {@code -Dproperty=N}, or else as often as usual, or more with all long tests. */
    public static int count(String property, int usual, int more) {
        return Integer.getInteger(property, ASKED_FOR ? more : usual);
    }
}
