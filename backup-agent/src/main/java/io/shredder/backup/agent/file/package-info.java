// SPDX-License-Identifier: Apache-2.0
/** How the agent's files reach the disk: what all of its formats share. */
@NullMarked
package io.shredder.backup.agent.file;

import org.jspecify.annotations.NullMarked;
