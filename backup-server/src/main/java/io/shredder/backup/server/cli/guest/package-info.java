// SPDX-License-Identifier: Apache-2.0
/** Commands that look into an image: its files, and whether it starts. */
@NullMarked
package io.shredder.backup.server.cli.guest;

import org.jspecify.annotations.NullMarked;
