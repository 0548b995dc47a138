// SPDX-License-Identifier: Apache-2.0
/** One backup: its session, its stages and what goes from stage to stage. */
@NullMarked
package io.shredder.backup.server.backup;

import org.jspecify.annotations.NullMarked;
