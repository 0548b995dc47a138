// SPDX-License-Identifier: Apache-2.0
/** Tests of what jobs are to do. */
package io.shredder.hdfs.scan.plan;
