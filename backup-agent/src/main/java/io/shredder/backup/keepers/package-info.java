// SPDX-License-Identifier: Apache-2.0
/** What an agent tells of the keepers of its store. Start at {@link KeepersState}. */
@NullMarked
package io.shredder.backup.keepers;

import org.jspecify.annotations.NullMarked;
