// SPDX-License-Identifier: Apache-2.0
/** Commands and options for stores in object stores. */
@NullMarked
package io.shredder.backup.agent.cli.store;

import org.jspecify.annotations.NullMarked;
