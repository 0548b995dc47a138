// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.compare;

import java.util.BitSet;
import java.util.List;

/**
 * What a segment and the new image have in common.
 *
 * @param unchanged a bit for each chunk of the segment
 * @param kept parts of the other chunks, ascending
 */
record Compared(BitSet unchanged, List<KeptPart> kept) {}
