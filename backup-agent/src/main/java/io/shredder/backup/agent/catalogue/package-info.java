// SPDX-License-Identifier: Apache-2.0
/**
 * Which snapshots there are: {@code docs/formats/catalogue.md}. {@link io.shredder.backup.agent.catalogue.Catalogue}
 * lists and publishes their files, which {@link io.shredder.backup.agent.lists} writes and reads.
 */
@NullMarked
package io.shredder.backup.agent.catalogue;

import org.jspecify.annotations.NullMarked;
