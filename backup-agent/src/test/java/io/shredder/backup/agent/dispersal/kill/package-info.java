// SPDX-License-Identifier: Apache-2.0
/** Keepers and their agent as processes that are killed. */
package io.shredder.backup.agent.dispersal.kill;
