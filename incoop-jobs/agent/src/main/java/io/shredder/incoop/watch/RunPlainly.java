// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.watch;

/**
 * A job's code is about to do what can't be part of a result that is kept. Thrown in its face before it happens; an
 * Error, since jobs catch exceptions.
 */
public final class RunPlainly extends Error {

    private static final long serialVersionUID = 1L;

    /** @param reason completes "the job runs plainly: " */
    public RunPlainly(String reason) {
        super(reason);
    }
}
