// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup;

/** How much of a random test is run: {@code ./run test --long} has what takes too long for every run. */
public final class LongTests {

    private static final boolean ASKED_FOR = "1".equals(System.getenv("SHREDDER_LONG_TESTS"));

    private LongTests() {}

    /** How often something is tried: {@code -Dproperty=N}, or else as often as usual, or more with all long tests. */
    public static int count(String property, int usual, int more) {
        return Integer.getInteger(property, ASKED_FOR ? more : usual);
    }
}
