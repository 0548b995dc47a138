// SPDX-License-Identifier: Apache-2.0
/** Makes the certificates that agents and clients know each other by. */
@NullMarked
package io.shredder.backup.agent.certs;

import org.jspecify.annotations.NullMarked;
