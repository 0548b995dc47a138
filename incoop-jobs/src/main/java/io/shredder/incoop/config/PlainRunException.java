// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.config;

/** The job can't be reused safely and has to run as it is. The message completes "the job runs plainly: ". */
public final class PlainRunException extends Exception {

    private static final long serialVersionUID = 1L;

    public PlainRunException(String reason) {
        super(reason);
    }

    /** The input is cut into something else than plain parts of files. */
    public static PlainRunException unknownSplit(Class<?> kind) {
        return new PlainRunException("its splits are of the unknown kind " + kind.getName());
    }
}
