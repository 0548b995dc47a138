// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.protocol;

/** The numbers of {@code docs/formats/wire.md}, all in one place. */
public final class WireFormat {

    /** The oldest protocol version that this program speaks. */
    public static final int MIN_VERSION = 2;

    /** The newest protocol version that this program speaks. */
    public static final int MAX_VERSION = 4;

    /** From this version on, a PUT may leave the digest of the stored bytes to the agent. */
    public static final int UNDIGESTED_PUT_VERSION = 3;

    /** From this version on, a client may ask for a part of everything to be verified. */
    public static final int VERIFY_SOME_VERSION = 4;

    /** From this version on, lists may point to parts of chunks. */
    public static final int PARTS_VERSION = 4;

    /** From this version on, a chunk can be fetched without the agent's digest of it: {@link Request.FetchUnproved}. */
    public static final int UNPROVED_FETCH_VERSION = 4;

    /** First two bytes of every frame: "SH". */
    public static final short MAGIC = 0x5348;

    /** Layout of the frame header; it changes only if the header itself does. */
    public static final byte FRAME_LAYOUT = 1;

    /** Length of the frame header. */
    public static final int HEADER_BYTES = 16;

    /** The longest chunk that can be sent, before compression: 8 MiB. */
    public static final int MAX_CHUNK_BYTES = 8 << 20;

    /** What sealing adds to a chunk at most: nonce 12, form 1, tag 16. */
    public static final int SEAL_BYTES = 29;

    /** The longest stored form of a chunk. */
    public static final int MAX_STORED_BYTES = MAX_CHUNK_BYTES + SEAL_BYTES;

    /** Pointers in each page of a snapshot's list but the last. */
    public static final int PAGE_POINTERS = 4096;

    /**
     * How many times as long as the image the chunks may be, at most, that a list points to, each counted once a page: where only a part of a chunk is
     * pointed to, they are longer than the image.
     */
    public static final int MOST_POINTED = 4;

    /** The longest sealed summary of a snapshot. */
    public static final int MAX_SUMMARY_BYTES = 512;

    /** The longest frame body: the longest chunk and what describes it. */
    public static final int MAX_BODY_BYTES = MAX_CHUNK_BYTES + 4096;

    /** The most fingerprints in one look-up. */
    public static final int MAX_BATCH = 65_536;

    /** The most snapshots in one SNAPSHOTS. */
    public static final int MAX_SNAPSHOTS_PAGE = 1024;

    /** The longest text in any message, in bytes of UTF-8. */
    public static final int MAX_TEXT_BYTES = 2048;

    /** The request number of messages that belong to no request. */
    public static final int NO_REQUEST = 0;

    private WireFormat() {}
}
