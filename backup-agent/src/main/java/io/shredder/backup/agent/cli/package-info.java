// SPDX-License-Identifier: Apache-2.0
/**
 * The program {@code backup-agent}: its commands, their options and their printing. It knows all other packages, and
 * none knows it.
 */
@NullMarked
package io.shredder.backup.agent.cli;

import org.jspecify.annotations.NullMarked;
