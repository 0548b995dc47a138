// SPDX-License-Identifier: Apache-2.0
/**
 * Manifests of files in HDFS: {@link io.shredder.hdfs.manifest.HdfsManifests} reads one, {@link
 * io.shredder.hdfs.manifest.HdfsFile} asks HDFS's client what the rules of {@code io.shredder.chunk.binding} ask.
 */
@NullMarked
package io.shredder.hdfs.manifest;

import org.jspecify.annotations.NullMarked;
