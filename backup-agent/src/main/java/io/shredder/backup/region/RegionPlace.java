// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.region;

import java.nio.file.Path;

/**
 * Where a region lies on this machine.
 *
 * @param container the file that its record is in: {@code docs/formats/container.md}, section 3
 * @param offset where in it the record begins
 * @param recordBytes length of the whole record
 */
public record RegionPlace(Path container, long offset, int recordBytes) {}
