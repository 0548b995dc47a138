// SPDX-License-Identifier: Apache-2.0
/** Options that several commands share. A command takes them as mix-ins of picocli. */
@NullMarked
package io.shredder.backup.server.cli.option;

import org.jspecify.annotations.NullMarked;
