// SPDX-License-Identifier: Apache-2.0
/** Tests of proofs. */
package io.shredder.hdfs.scan.verify;
