// SPDX-License-Identifier: Apache-2.0
/** How quick an image is that is used while it is restored, beside the same image as a local file. */
@NullMarked
package io.shredder.it.open.live;

import org.jspecify.annotations.NullMarked;
