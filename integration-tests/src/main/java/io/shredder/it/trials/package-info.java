// SPDX-License-Identifier: Apache-2.0
/**
 * {@code ./run trials}: what the backup must survive, tried at full count. What each trial tries is test code of the
 * agent and of the server, whose tests try it some times; begin with {@link io.shredder.it.trials.TrialBars}.
 */
@NullMarked
package io.shredder.it.trials;

import org.jspecify.annotations.NullMarked;
