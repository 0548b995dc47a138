// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.wire;

import java.util.Optional;

/** What a frame carries, with its code on the wire. Requests go to the agent, answers come from it. */
public enum FrameType {
    /** The agent's first word: versions, limits, and who it takes the client for. */
    GREETING(1),
    /** The client's first word: the version it chose. */
    HELLO(2),
    /** Which of these chunks do you have? */
    LOOKUP(3),
    /** A bit for each chunk of a look-up. */
    FOUND(4),
    /** Keep the chunks of this region. */
    PUT(5),
    /** Done, nothing more to say. */
    DONE(6),
    /** Make everything put so far durable. */
    SYNC(7),
    /** Start a snapshot. */
    BEGIN(8),
    /** The next page of the started snapshot's list. */
    APPEND(9),
    /** The started snapshot is whole: publish it. */
    COMMIT(10),
    /** The snapshot is published and durable. */
    COMMITTED(11),
    /** Which snapshots are there? */
    LIST(12),
    /** A page of snapshots. */
    SNAPSHOTS(13),
    /** Give me this page of a snapshot's list. */
    SHOW(14),
    /** A page of a snapshot's list. */
    PAGE(15),
    /** Give me this chunk. */
    FETCH(16),
    /** The region that a chunk is in. */
    REGION(17),
    /** Re-read and re-digest the next part of a snapshot or of everything. */
    VERIFY(18),
    /** What a part looked like. */
    VERIFIED(19),
    /** The request failed, or (with request 0) the connection did. */
    ERROR(20),
    /** Delete these snapshots. */
    DELETE(21),
    /** Begin a collection, or do its next step. */
    COLLECT(22),
    /** How far the collection has come. */
    COLLECTED(23),
    /** How much is kept? */
    STATS(24),
    /** How much is kept. */
    STATISTICS(25),
    /** Re-read and re-digest the next part of some of what is kept. */
    VERIFY_SOME(26),
    /** Give me these chunks as they lie there: I prove them by their seals. */
    FETCH_MANY(28),
    /** The regions that chunks are in. */
    REGIONS(29),
    /** I am still here; from either side, and no answer is due. */
    KEEP_ALIVE(40),
    /** Which id will the open snapshot have? */
    PREPARE(41),
    /** The id, and what is before it. */
    PREPARED(42),
    /** Which snapshots of this series are there? */
    LIST_SERIES(43),
    /** Which pages does this snapshot's shared list have? */
    LIST_PAGES(46),
    /** The digests of a list's pages. */
    PAGES(47),
    /** The open snapshot's list goes on with pages of this other one's. */
    SHARE(48),
    /** Your copy of this page of a shared list is damaged: this is a whole one. */
    MEND_PAGE(49),
    /** By what may another connection bring chunks of the open snapshot? */
    INVITE(50),
    /** By this. */
    INVITED(51),
    /** What I bring from now on is for the snapshot that another connection has open. */
    JOIN(52),
    /** How do your store's keepers stand? */
    KEEPERS(53),
    /** How they stand, or that there are none. */
    KEEPERS_STATE(54),
    /** So much may be under way on this connection from now on; no answer is due. */
    WINDOW(55),
    /** Which deletion waits for a second client, the next? */
    PENDING(61),
    /** A deletion that waits for a second client, or that there is none. */
    PENDING_DELETION(62),
    /** Do what another client asked for. */
    CONFIRM(63),
    /** Forget what was asked for. */
    WITHDRAW(64),
    /** A keeper's first word: its versions, and which process it is. */
    KEEPER_GREETING(80),
    /** Give me this small file of the keeper's. */
    KEEPER_READ(81),
    /** What lies in the keeper's folder itself? */
    KEEPER_NAMES(82),
    /** I want to be the only one here. */
    KEEPER_HOLD(83),
    /** Is this file there? */
    KEEPER_HAS(84),
    /** Which files are below this folder? */
    KEEPER_LIST(85),
    /** I want to read this file. */
    KEEPER_OPEN(86),
    /** Give me these bytes of an open file. */
    KEEPER_READ_AT(87),
    /** How long is this open file? */
    KEEPER_SIZE(88),
    /** How long is this file, and when was it written last? */
    KEEPER_STAT(89),
    /** How much can be added? */
    KEEPER_USABLE(90),
    /** I need this open file no more. */
    KEEPER_CLOSE(91),
    /** Make a file that begins with these bytes, and keep it open. */
    KEEPER_CREATE(92),
    /** These bytes come at the end of an open file. */
    KEEPER_APPEND(93),
    /** Begin to make an open file durable. */
    KEEPER_WRITE_BEHIND(94),
    /** Make an open file durable. */
    KEEPER_FORCE(95),
    /** These are a small file's bytes from now on. */
    KEEPER_REPLACE(96),
    /** Delete this file. */
    KEEPER_DELETE(97),
    /** Give this file another name. */
    KEEPER_RENAME(98),
    /** Make this file say that it was written last then. */
    KEEPER_SET_MODIFIED(99),
    /** Make this folder. */
    KEEPER_MAKE_FOLDER(100),
    /** Make a closed file durable. */
    KEEPER_FORCE_FILE(101),
    /** Cut a file's end off. */
    KEEPER_CUT(102),
    /** A keeper did it. */
    KEEPER_DONE(110),
    /** A number that a keeper was asked for. */
    KEEPER_NUMBER(111),
    /** A file is open. */
    KEEPER_OPENED(112),
    /** A file's length and time. */
    KEEPER_STATUS(113),
    /** Bytes of a file, and whether they are all that was asked for. */
    KEEPER_BYTES(114),
    /** Names, each with a length. */
    KEEPER_FILES(115);

    private final int code;

    FrameType(int code) {
        this.code = code;
    }

    /** The byte that stands for this type on the wire. */
    public int code() {
        return code;
    }

    /** The type with this code, if there is one. */
    public static Optional<FrameType> fromCode(int code) {
        for (FrameType type : values()) {
            if (type.code == code) {
                return Optional.of(type);
            }
        }
        return Optional.empty();
    }
}
