// SPDX-License-Identifier: Apache-2.0
/** How keys are derived from keys, at both sites. */
@NullMarked
package io.shredder.backup.keys;

import org.jspecify.annotations.NullMarked;
