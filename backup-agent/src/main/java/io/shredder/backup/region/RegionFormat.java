// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.region;

/** The numbers of regions, as they travel and are kept: {@code docs/formats/wire.md} and {@code container.md}. */
public final class RegionFormat {

    /** The longest chunk, before compression: 8 MiB. */
    public static final int MAX_CHUNK_BYTES = 8 << 20;

    /** What sealing adds to a region at most: nonce 12, form 1, tag 16. */
    public static final int SEAL_BYTES = 29;

    /** The most chunks of a region; together they are not longer than the longest chunk. */
    public static final int MAX_REGION_CHUNKS = 64;

    /** What each chunk of a region but the first adds to the stored bytes: its fingerprint and length. */
    public static final int MEMBER_BYTES = 36;

    /** What a region that is sent or kept adds to the plain bytes at most, but for its table. */
    public static final int REGION_BYTES = 4 + StoredRegion.FIXED_BYTES + SEAL_BYTES;

    /** The longest stored form of a region. */
    public static final int MAX_STORED_BYTES = MAX_CHUNK_BYTES + SEAL_BYTES + (MAX_REGION_CHUNKS - 1) * MEMBER_BYTES;

    private RegionFormat() {}
}
