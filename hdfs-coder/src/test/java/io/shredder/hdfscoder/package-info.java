// SPDX-License-Identifier: Apache-2.0
/** Tests of the coders against Hadoop's own; those that end in IT run on HDFS, or as a stock Hadoop would. */
package io.shredder.hdfscoder;
