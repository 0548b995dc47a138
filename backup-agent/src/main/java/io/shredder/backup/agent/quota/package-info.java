// SPDX-License-Identifier: Apache-2.0
/** What namespaces may keep, and what they have put that no snapshot accounts for: {@code docs/formats/putbytes.md}. */
@NullMarked
package io.shredder.backup.agent.quota;

import org.jspecify.annotations.NullMarked;
