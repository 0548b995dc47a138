// SPDX-License-Identifier: Apache-2.0
/**
 * The content-defined tree over a job's chunks, by which the reduce side pays only for what changed: {@link
 * io.shredder.incoop.contraction.ContractionTree}. Its shape and ids are fixed by {@code docs/formats/memo.md},
 * "Contraction". After Incoop (SoCC 2011), section 4.2. Knows nothing of Hadoop.
 */
@NullMarked
package io.shredder.incoop.contraction;

import org.jspecify.annotations.NullMarked;
