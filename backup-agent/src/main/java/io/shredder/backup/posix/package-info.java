// SPDX-License-Identifier: Apache-2.0
/** What Java has no word for, asked of the C library; for both sites. */
@NullMarked
package io.shredder.backup.posix;

import org.jspecify.annotations.NullMarked;
