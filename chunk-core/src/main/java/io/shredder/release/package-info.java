// SPDX-License-Identifier: Apache-2.0
/** Which release of Shredder this is. */
@NullMarked
package io.shredder.release;

import org.jspecify.annotations.NullMarked;
