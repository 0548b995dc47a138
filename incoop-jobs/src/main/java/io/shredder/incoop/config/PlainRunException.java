// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.config;

/** The job can't be reused safely and has to run as it is. The message completes "the job runs plainly: ". */
public final class PlainRunException extends Exception {

    private static final long serialVersionUID = 1L;

    public PlainRunException(String reason) {
        super(reason);
    }

    /** Planning has taken all of the heap, which submitting a plain job does not. */
    public static PlainRunException outOfHeap() {
        return new PlainRunException(
                "this program's heap of " + (Runtime.getRuntime().maxMemory() >> 20)
                        + " MiB is too small for the plan: give it more, as by HADOOP_CLIENT_OPTS=-Xmx4g, or collect the memo"
                        + " store (bin/incoop gc)");
    }

    /** The input is cut into something else than plain parts of files. */
    public static PlainRunException unknownSplit(Class<?> kind) {
        return new PlainRunException("its splits are of the unknown kind " + kind.getName());
    }
}
