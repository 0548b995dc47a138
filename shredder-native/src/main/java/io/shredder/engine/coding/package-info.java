// SPDX-License-Identifier: Apache-2.0
/**
 * Erasure codes: of data shards, parity shards; of enough shards, the lost ones. Start at {@link ErasureCoder}.
 * Which codes there are, to the byte: {@code docs/formats/coding.md}.
 */
@NullMarked
package io.shredder.engine.coding;

import org.jspecify.annotations.NullMarked;
