// SPDX-License-Identifier: Apache-2.0
/**
 * Care that an agent takes by itself at times of its own file: it gives space back, and reads what it keeps in turn.
 * {@link io.shredder.backup.agent.care.AgentCare} runs it.
 */
@NullMarked
package io.shredder.backup.agent.care;

import org.jspecify.annotations.NullMarked;
