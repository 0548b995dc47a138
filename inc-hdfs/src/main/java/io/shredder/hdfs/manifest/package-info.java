// SPDX-License-Identifier: Apache-2.0
/**
 * Manifests of files in HDFS: {@link io.shredder.hdfs.manifest.HdfsManifests} reads one, {@link
 * io.shredder.hdfs.manifest.ManifestBinding} says whether it is still that of its file.
 */
@NullMarked
package io.shredder.hdfs.manifest;

import org.jspecify.annotations.NullMarked;
