// SPDX-License-Identifier: Apache-2.0
/** {@code ./run bench papers}: what comes out for the papers, run anew and on one page. */
@NullMarked
package io.shredder.it.papers;

import org.jspecify.annotations.NullMarked;
