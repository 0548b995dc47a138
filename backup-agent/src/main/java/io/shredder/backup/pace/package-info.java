// SPDX-License-Identifier: Apache-2.0
/** How fast bytes may go: {@link io.shredder.backup.pace.Pace} holds those back that would go faster. */
@NullMarked
package io.shredder.backup.pace;

import org.jspecify.annotations.NullMarked;
