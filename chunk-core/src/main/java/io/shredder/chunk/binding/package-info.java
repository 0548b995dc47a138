// SPDX-License-Identifier: Apache-2.0
/**
 * What binds a manifest to a file of HDFS: names, attributes and rules of {@code docs/formats/manifest.md}, "Beside an
 * HDFS file", for all that write manifests and all that read them. {@link io.shredder.chunk.binding.ManifestFile} finds
 * one, {@link io.shredder.chunk.binding.BindingRules} says whether it may be used. How HDFS is asked is the caller's:
 * {@link io.shredder.chunk.binding.BoundFile}.
 */
@NullMarked
package io.shredder.chunk.binding;

import org.jspecify.annotations.NullMarked;
