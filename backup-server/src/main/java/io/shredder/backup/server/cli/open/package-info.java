// SPDX-License-Identifier: Apache-2.0
/** Commands that open a backup where it lies, without restoring it, and the options that they share. */
@NullMarked
package io.shredder.backup.server.cli.open;

import org.jspecify.annotations.NullMarked;
