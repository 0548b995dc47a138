// SPDX-License-Identifier: Apache-2.0
/**
 * Who may do what: {@link io.shredder.backup.agent.access.AccessRules}, read from a file by
 * {@link io.shredder.backup.agent.access.AccessFile}.
 */
@NullMarked
package io.shredder.backup.agent.access;

import org.jspecify.annotations.NullMarked;
