// SPDX-License-Identifier: Apache-2.0
/** What an agent shows to those who look after it: figures, and whether it is well. */
@NullMarked
package io.shredder.backup.agent.monitoring;

import org.jspecify.annotations.NullMarked;
