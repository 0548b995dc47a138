// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.coding.figures;

import io.shredder.engine.ShredderException;

/** Codes one group of shards after the other, and says how long each took. */
interface GroupCoding {
    /** Seconds for the parity shards of a group. */
    double encode(Scheme scheme, int cellBytes) throws ShredderException;

    /** Seconds for so many lost data shards of a group, the first ones. */
    double decode(Scheme scheme, int cellBytes, int lost) throws ShredderException;
}
