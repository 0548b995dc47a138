// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.command;

/** An error after which a command ends with a code of its own. */
public interface ExitCode {

    /** Above 2. */
    int exitCode();
}
