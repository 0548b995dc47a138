// SPDX-License-Identifier: Apache-2.0
/**
 * Single files of an image. A process of its own, behind bubblewrap, knows file systems; this side gives it the image's
 * bytes and writes what it tells, believing none of it.
 */
@NullMarked
package io.shredder.backup.server.guest;

import org.jspecify.annotations.NullMarked;
