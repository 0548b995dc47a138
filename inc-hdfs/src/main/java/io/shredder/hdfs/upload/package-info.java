// SPDX-License-Identifier: Apache-2.0
/**
 * A file's way into HDFS, as blocks that end where chunks do, and its manifest's: {@link
 * io.shredder.hdfs.upload.Upload} names the steps in order.
 */
@NullMarked
package io.shredder.hdfs.upload;

import org.jspecify.annotations.NullMarked;
