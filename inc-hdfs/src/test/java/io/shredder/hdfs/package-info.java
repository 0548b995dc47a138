// SPDX-License-Identifier: Apache-2.0
/** Tests of Inc-HDFS; those that end in IT run against a NameNode and three DataNodes. */
package io.shredder.hdfs;
