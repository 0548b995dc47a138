// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.digests;

import io.shredder.chunk.Fingerprint;
import java.nio.charset.StandardCharsets;

/** Numbers of {@code docs/formats/digests.md}, version 1. */
final class ListingFormat {

    static final byte[] MAGIC = "SHRDDIGS".getBytes(StandardCharsets.US_ASCII);
    static final int VERSION = 1;
    static final int HEADER_BYTES = 16;
    static final int MOST_PATH_BYTES = 0xFFFF;
    static final int PLACE_BYTES = Long.BYTES;
    static final int TRAILER_BYTES = 2 * Long.BYTES + Fingerprint.BYTES;

    private ListingFormat() {}
}
