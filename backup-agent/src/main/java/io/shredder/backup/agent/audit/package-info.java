// SPDX-License-Identifier: Apache-2.0
/** The record of everything that was deleted: {@code docs/formats/audit.md}. */
@NullMarked
package io.shredder.backup.agent.audit;

import org.jspecify.annotations.NullMarked;
