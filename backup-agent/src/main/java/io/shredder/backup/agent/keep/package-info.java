// SPDX-License-Identifier: Apache-2.0
/**
 * A keeper on its own machine: {@link io.shredder.backup.agent.keep.KeepDaemon} holds a folder and lets one agent at a
 * time keep its files there. It knows of those files only their names, and of {@code writer} the epoch.
 */
@NullMarked
package io.shredder.backup.agent.keep;

import org.jspecify.annotations.NullMarked;
