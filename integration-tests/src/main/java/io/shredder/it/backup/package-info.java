// SPDX-License-Identifier: Apache-2.0
/** Backups of disk images by this project's programs and by others, measured alike. */
@NullMarked
package io.shredder.it.backup;

import org.jspecify.annotations.NullMarked;
