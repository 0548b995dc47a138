// SPDX-License-Identifier: Apache-2.0
/**
 * Semantic chunking (Incoop, section 4.1): cuts move forward to the end of the record that they fall in, so that no
 * chunk splits a record.
 *
 * <p>An {@link io.shredder.hdfs.records.InputRecords InputRecords} service says which InputFormats it knows the records
 * of; its {@link io.shredder.hdfs.records.RecordBoundaries RecordBoundaries} find the record ends in a stream of bytes;
 * {@link io.shredder.hdfs.records.RecordAligner RecordAligner} moves the cuts ({@code docs/formats/chunking.md},
 * section 6).
 */
@NullMarked
package io.shredder.hdfs.records;

import org.jspecify.annotations.NullMarked;
