// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.wire;

/** Why a request failed, sorted by what the other side can do about it. */
public enum ErrorCode {
    /** An error that this version doesn't know. */
    OTHER(0),
    /** The peer broke the protocol; the connection is closed. */
    PROTOCOL(1),
    /** No common protocol version: upgrade one side. */
    VERSION(2),
    /** The client has no right to do this. */
    NOT_PERMITTED(3),
    /** There is no such snapshot or chunk. */
    NOT_FOUND(4),
    /** What was asked for is there, but damaged: the text says where. */
    DAMAGED(5),
    /** The chunk's bytes are not what its digests say: read it again and send it again. */
    BAD_CHUNK(6),
    /** A request that makes no sense now or at all. */
    INVALID(7),
    /** The agent's disk is full: free or add space, then run again. */
    STORAGE_FULL(8),
    /** The agent's disk failed: see the agent's log. */
    STORAGE_FAILED(9),
    /** The agent is stopping or has too many clients: try again. */
    BUSY(10),
    /** A bug in the agent: see its log. */
    INTERNAL(11),
    /** The namespace's quota is used up: prune snapshots, or have it raised. */
    QUOTA(12),
    /** The peer said nothing, or took nothing, for too long; the connection is closed. */
    TIMED_OUT(16),
    /** The series got another snapshot since the id was given: ask for another id. */
    SERIES_MOVED(20),
    /** Another client has the keeper: stop that one first. */
    IN_USE(21),
    /** Another writer has taken the keeper's store over: this one changes nothing any more. */
    OTHER_WRITER(22);

    private final int code;

    ErrorCode(int code) {
        this.code = code;
    }

    /** The number on the wire. */
    public int code() {
        return code;
    }

    /** The error with this code, or {@link #OTHER}. */
    public static ErrorCode fromCode(int code) {
        for (ErrorCode error : values()) {
            if (error.code == code) {
                return error;
            }
        }
        return OTHER;
    }
}
