// SPDX-License-Identifier: Apache-2.0
/** Tests of record alignment against Hadoop's own record readers. */
package io.shredder.hdfs.records;
