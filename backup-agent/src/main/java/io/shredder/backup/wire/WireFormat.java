// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.wire;

import io.shredder.backup.region.RegionFormat;

/** The numbers of {@code docs/formats/wire.md}, all in one place. */
public final class WireFormat {

    /** The oldest protocol version that this program speaks. */
    public static final int MIN_VERSION = 5;

    /** The newest protocol version that this program speaks. */
    public static final int MAX_VERSION = 9;

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

    /** The first protocol version in which an agent tells of its store's keepers. */
    public static final int KEEPERS_VERSION = 8;

    /** The first protocol version in which an agent says how much may be under way. */
    public static final int WINDOW_VERSION = 9;

    /** First two bytes of every frame: "SH". */
    public static final short MAGIC = 0x5348;

    /** Layout of the frame header; it changes only if the header itself does. */
    public static final byte FRAME_LAYOUT = 1;

    /** Length of the frame header. */
    public static final int HEADER_BYTES = 16;

    /** The longest frame body: the longest chunk and what describes it. */
    public static final int MAX_BODY_BYTES = RegionFormat.MAX_CHUNK_BYTES + 4096;

    /** The most fingerprints in one look-up. */
    public static final int MAX_BATCH = 65_536;

    /** The most chunks that are fetched with one request. */
    public static final int MAX_FETCH = 4096;

    /** The most bytes of regions in one answer that a client may ask for; a single region may be longer. */
    public static final int MAX_FETCH_BYTES = 4 << 20;

    /** The most snapshots in one SNAPSHOTS. */
    public static final int MAX_SNAPSHOTS_PAGE = 1024;

    /** The request number of messages that belong to no request. */
    public static final int NO_REQUEST = 0;

    private WireFormat() {}
}
