// SPDX-License-Identifier: Apache-2.0
/** Deletions that wait until a second client confirms them: {@code docs/formats/pending.md}. */
@NullMarked
package io.shredder.backup.agent.deletion;

import org.jspecify.annotations.NullMarked;
