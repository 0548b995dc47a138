// SPDX-License-Identifier: Apache-2.0
/** What the command lines of both sites share: options, errors and exit codes, logging. */
@NullMarked
package io.shredder.backup.command;

import org.jspecify.annotations.NullMarked;
