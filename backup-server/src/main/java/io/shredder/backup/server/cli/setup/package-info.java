// SPDX-License-Identifier: Apache-2.0
/** The command that sets a source site up. */
@NullMarked
package io.shredder.backup.server.cli.setup;

import org.jspecify.annotations.NullMarked;
