// SPDX-License-Identifier: Apache-2.0
/**
 * A storage on any Hadoop file system: {@code docs/formats/container.md}, section 5. Only loaded for an agent with
 * {@code --store}, whose class path must hold Hadoop's client. Begin with
 * {@link io.shredder.backup.agent.hadoop.HadoopStorage}.
 */
@NullMarked
package io.shredder.backup.agent.hadoop;

import org.jspecify.annotations.NullMarked;
