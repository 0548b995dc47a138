// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.integrity;

/** Who else computes on the client's cores. */
enum Neighbour {
    /** A {@link PrimeSearch}. */
    COMPUTES("a compute-bound", "searches for primes"),
    /** A {@link FileChurn}. */
    WAITS("an I/O-bound", "writes small files, forces them to the disk, reads and removes them");

    private final String title;
    private final String deed;

    Neighbour(String title, String deed) {
        this.title = title;
        this.deed = deed;
    }

    /** With its article, in headings and rows. */
    String title() {
        return title;
    }

    /** What it does. */
    String deed() {
        return deed;
    }
}
