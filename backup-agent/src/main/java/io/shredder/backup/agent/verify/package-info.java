// SPDX-License-Identifier: Apache-2.0
/**
 * Reads and digests again what is kept, a part at a time and ahead of who asks.
 * {@link io.shredder.backup.agent.verify.VerificationPlan} says what lies in which container.
 */
@NullMarked
package io.shredder.backup.agent.verify;

import org.jspecify.annotations.NullMarked;
