// SPDX-License-Identifier: Apache-2.0
/** Who has a store. */
package io.shredder.backup.agent.lease;
