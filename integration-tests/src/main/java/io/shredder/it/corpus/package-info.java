// SPDX-License-Identifier: Apache-2.0
/** Real input made from Debian's packages: a large text and a disk image, each with a second version. */
@NullMarked
package io.shredder.it.corpus;

import org.jspecify.annotations.NullMarked;
