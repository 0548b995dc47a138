// SPDX-License-Identifier: Apache-2.0
/**
 * Care of what is kept that daemons of both sites take: {@link io.shredder.backup.care.VerificationTurn}, and {@link
 * io.shredder.backup.care.RoomTrend}.
 */
@NullMarked
package io.shredder.backup.care;

import org.jspecify.annotations.NullMarked;
