// SPDX-License-Identifier: Apache-2.0
/** Throw-away machines of QEMU that start from an image, to see whether it starts. Nothing of the image changes. */
@NullMarked
package io.shredder.backup.server.machine;

import org.jspecify.annotations.NullMarked;
