// SPDX-License-Identifier: Apache-2.0
/** Tests of reports. */
package io.shredder.hdfs.scan.report;
