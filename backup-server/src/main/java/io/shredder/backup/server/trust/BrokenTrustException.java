// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.trust;

import com.google.common.base.Throwables;
import io.shredder.backup.command.ExitCode;
import java.io.IOException;

/** An agent shows less than it had, or other than was committed. Commands that meet it have an exit code for it. */
public final class BrokenTrustException extends IOException implements ExitCode {

    private static final long serialVersionUID = 1L;

    /** Of commands. */
    public static final int EXIT_CODE = 3;

    private static final String BEGINS = "ALARM: ";

    /** The alarm, one line. */
    public BrokenTrustException(String message) {
        super(BEGINS + message);
    }

    /** The same alarm with more words. */
    BrokenTrustException with(String more) {
        return new BrokenTrustException(String.valueOf(getMessage()).substring(BEGINS.length()) + more);
    }

    /** Whether one is why something failed. */
    public static boolean isWhy(Throwable failure) {
        return Throwables.getCausalChain(failure).stream().anyMatch(BrokenTrustException.class::isInstance);
    }

    @Override
    public int exitCode() {
        return EXIT_CODE;
    }
}
