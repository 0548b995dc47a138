// SPDX-License-Identifier: Apache-2.0
/**
 * What the consoles of both daemons share: {@link io.shredder.backup.console.ApiSite} lets visitors in, answers files
 * and has a daemon answer its own API below {@code /api/v1}.
 */
@NullMarked
package io.shredder.backup.console;

import org.jspecify.annotations.NullMarked;
