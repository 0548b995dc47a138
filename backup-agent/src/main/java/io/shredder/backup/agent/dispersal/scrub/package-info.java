// SPDX-License-Identifier: Apache-2.0
/** Checks what the keepers of a store have, and mends it. Start at {@link Scrub}. */
@NullMarked
package io.shredder.backup.agent.dispersal.scrub;

import org.jspecify.annotations.NullMarked;
