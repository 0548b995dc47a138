// SPDX-License-Identifier: Apache-2.0
/**
 * Append-only files of many chunks each: {@code docs/formats/container.md}. {@link
 * io.shredder.backup.agent.container.ContainerWriter} appends,
 * {@link io.shredder.backup.agent.container.ContainerReader} reads,
 * {@link io.shredder.backup.agent.container.ContainerScan} finds what a crash left.
 */
@NullMarked
package io.shredder.backup.agent.container;

import org.jspecify.annotations.NullMarked;
