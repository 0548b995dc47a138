// SPDX-License-Identifier: Apache-2.0
/** Whether the files of an image can be brought back, how fast, and what a hostile image can do. */
@NullMarked
package io.shredder.it.open.files;

import org.jspecify.annotations.NullMarked;
