// SPDX-License-Identifier: Apache-2.0
/** Which snapshots are kept: {@link io.shredder.backup.server.retention.RetentionPolicy}. */
@NullMarked
package io.shredder.backup.server.retention;

import org.jspecify.annotations.NullMarked;
