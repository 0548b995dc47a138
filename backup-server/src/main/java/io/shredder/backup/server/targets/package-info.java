// SPDX-License-Identifier: Apache-2.0
/** Where a restored image goes: a file, a device, a pipe, or nowhere. */
@NullMarked
package io.shredder.backup.server.targets;

import org.jspecify.annotations.NullMarked;
