// SPDX-License-Identifier: Apache-2.0
/** Stages of a backup: threads that share nothing but bounded queues, and how long each of them worked and waited. */
@NullMarked
package io.shredder.backup.server.stage;

import org.jspecify.annotations.NullMarked;
