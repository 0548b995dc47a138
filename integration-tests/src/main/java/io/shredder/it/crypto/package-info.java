// SPDX-License-Identifier: Apache-2.0
/** What encryption costs on cores and on a GPU: Kirby's thesis, measured anew. */
@NullMarked
package io.shredder.it.crypto;

import org.jspecify.annotations.NullMarked;
