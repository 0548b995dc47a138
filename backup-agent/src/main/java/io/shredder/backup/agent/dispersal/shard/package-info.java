// SPDX-License-Identifier: Apache-2.0
/** What lies at a keeper, to the byte: {@code docs/formats/dispersal.md}. Values alone; they read and write no file. */
@NullMarked
package io.shredder.backup.agent.dispersal.shard;

import org.jspecify.annotations.NullMarked;
