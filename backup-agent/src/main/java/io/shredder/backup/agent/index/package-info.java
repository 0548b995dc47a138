// SPDX-License-Identifier: Apache-2.0
/**
 * Which chunks are kept, and where. {@link io.shredder.backup.agent.index.FingerprintIndex} is the contract, {@link
 * io.shredder.backup.agent.index.LogStructuredIndex} its implementation, encrypted on disk:
 * {@code docs/formats/index.md}.
 */
@NullMarked
package io.shredder.backup.agent.index;

import org.jspecify.annotations.NullMarked;
