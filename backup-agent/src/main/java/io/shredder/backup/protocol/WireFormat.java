// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.protocol;

/** The numbers of {@code docs/formats/wire.md}, all in one place. */
public final class WireFormat {

    /** The oldest protocol version that this program speaks. */
    public static final int MIN_VERSION = 5;

    /** The newest protocol version that this program speaks. */
    public static final int MAX_VERSION = 7;

    /**
     * The first protocol version with {@link FrameType#KEEP_ALIVE}, and with the image's length in
     * {@link FrameType#BEGIN}.
     */
    public static final int KEEP_ALIVE_VERSION = 6;

    /** The first protocol version with lists that share pages. */
    public static final int SHARED_LISTS_VERSION = 6;

    /** The first protocol version with deletions that wait for a second client. */
    public static final int PENDING_VERSION = 6;

    /** The first protocol version in which several connections may bring the chunks of one snapshot. */
    public static final int UPLOAD_VERSION = 7;

    /** First two bytes of every frame: "SH". */
    public static final short MAGIC = 0x5348;

    /** Layout of the frame header; it changes only if the header itself does. */
    public static final byte FRAME_LAYOUT = 1;

    /** Length of the frame header. */
    public static final int HEADER_BYTES = 16;

    /** The longest chunk that can be sent, before compression: 8 MiB. */
    public static final int MAX_CHUNK_BYTES = 8 << 20;

    /** What sealing adds to a region at most: nonce 12, form 1, tag 16. */
    public static final int SEAL_BYTES = 29;

    /** The most chunks of a region; together they are not longer than the longest chunk. */
    public static final int MAX_REGION_CHUNKS = 64;

    /** What each chunk of a region but the first adds to the stored bytes: its fingerprint and length. */
    public static final int MEMBER_BYTES = 36;

    /** What a region in {@link FrameType#REGIONS} adds to the plain bytes at most, but for its table. */
    public static final int REGION_BYTES = 4 + StoredRegion.FIXED_BYTES + SEAL_BYTES;

    /** The longest stored form of a region. */
    public static final int MAX_STORED_BYTES = MAX_CHUNK_BYTES + SEAL_BYTES + (MAX_REGION_CHUNKS - 1) * MEMBER_BYTES;

    /** Pointers in each page of a snapshot's list but the last. */
    public static final int PAGE_POINTERS = 4096;

    /**
     * How many times as long as the image the chunks may be, at most, that a list points to, each counted once a page:
     * where only a part of a chunk is pointed to, they are longer than the image.
     */
    public static final int MOST_POINTED = 4;

    /** The longest sealed summary of a snapshot. */
    public static final int MAX_SUMMARY_BYTES = 4096;

    /** The longest frame body: the longest chunk and what describes it. */
    public static final int MAX_BODY_BYTES = MAX_CHUNK_BYTES + 4096;

    /** The most fingerprints in one look-up. */
    public static final int MAX_BATCH = 65_536;

    /** The most chunks that are fetched with one request. */
    public static final int MAX_FETCH = 4096;

    /** The most bytes of regions in one answer that a client may ask for; a single region may be longer. */
    public static final int MAX_FETCH_BYTES = 4 << 20;

    /** The most snapshots in one SNAPSHOTS. */
    public static final int MAX_SNAPSHOTS_PAGE = 1024;

    /** The longest text in any message, in bytes of UTF-8. */
    public static final int MAX_TEXT_BYTES = 2048;

    /** The request number of messages that belong to no request. */
    public static final int NO_REQUEST = 0;

    private WireFormat() {}
}
