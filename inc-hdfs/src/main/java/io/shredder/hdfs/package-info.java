// SPDX-License-Identifier: Apache-2.0
/**
 * Inc-HDFS (Incoop, section 4): {@code hdfs dfs -copyFromLocalGPU} writes ordinary HDFS files whose blocks end where
 * the content says, with a manifest of their chunks beside them.
 *
 * <p>{@link io.shredder.hdfs.upload.Upload} is the main path; {@link io.shredder.hdfs.IncFsShell} the shell around it;
 * {@link io.shredder.hdfs.manifest.HdfsManifests} the way back from a file to its chunks.
 */
@NullMarked
package io.shredder.hdfs;

import org.jspecify.annotations.NullMarked;
