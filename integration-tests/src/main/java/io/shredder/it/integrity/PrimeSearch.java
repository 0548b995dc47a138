// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.integrity;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.LongAdder;

/**
 * A neighbour that computes: threads that search for primes by trial division, the paper's (section 4.5). A program by
 * itself. A unit of its work is one stretch of {@value #STRETCH} numbers, always the same, so that all cost the same.
 */
public final class PrimeSearch {
    private static final int FIRST = 10_000_000;
    private static final int STRETCH = 2_000;

    private PrimeSearch() {}

    /**
     * Searches until it is ended.
     *
     * @param args how many threads, and the {@link WorkLog}'s file
     */
    public static void main(String[] args) throws IOException {
        var found = new LongAdder();
        int threads = Integer.parseInt(args[0]);
        int expected = primes();
        for (int i = 0; i < threads; i++) {
            var thread = new Thread(() -> search(expected, found), "primes");
            thread.setDaemon(true);
            thread.start();
        }
        WorkLog.keep(Path.of(args[1]), found::sum);
    }

    private static void search(int expected, LongAdder done) {
        while (primes() == expected) {
            done.increment();
        }
        throw new IllegalStateException("the same numbers had other primes: this machine computes wrong");
    }

    /** How many there are in the stretch. */
    static int primes() {
        int count = 0;
        for (int number = FIRST; number < FIRST + STRETCH; number++) {
            count += isPrime(number) ? 1 : 0;
        }
        return count;
    }

    private static boolean isPrime(int number) {
        if (number % 2 == 0) {
            return number == 2;
        }
        for (int divisor = 3; divisor * divisor <= number; divisor += 2) {
            if (number % divisor == 0) {
                return false;
            }
        }
        return number > 1;
    }
}
