// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.cluster;

/** How much of this machine a cluster's tasks take: three at once on up to seven cores, three more per further four. */
public final class ClusterSize {
    private static final int CORES = 4;
    private static final int GIB = 3;

    private ClusterSize() {}

    /** How often three tasks run beside each other; so many jobs may, too. */
    public static int parts() {
        return Math.max(1, Runtime.getRuntime().availableProcessors() / CORES);
    }

    /** What the NodeManager gives to tasks, in GiB. */
    public static int gib() {
        return GIB * parts();
    }

    /** What it gives to tasks in cores, by which nothing is bounded. */
    static int cores() {
        return CORES * parts();
    }
}
