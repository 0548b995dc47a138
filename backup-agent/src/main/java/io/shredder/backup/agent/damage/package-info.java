// SPDX-License-Identifier: Apache-2.0
/** What is known to be damaged, so that it can be sent again: {@code docs/formats/damaged.md}. */
@NullMarked
package io.shredder.backup.agent.damage;

import org.jspecify.annotations.NullMarked;
