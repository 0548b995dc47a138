// SPDX-License-Identifier: Apache-2.0
/**
 * A storage over several keepers, of which any few give everything back. Start at {@link DispersedStorage}. What lies
 * at a keeper, to the byte: {@code docs/formats/dispersal.md}.
 */
@NullMarked
package io.shredder.backup.agent.dispersal;

import org.jspecify.annotations.NullMarked;
