// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.client;

import io.shredder.backup.wire.ErrorCode;
import java.io.IOException;

/** The agent refused or couldn't do something, or the connection failed. The one-line message says what to do. */
public class AgentException extends IOException {

    private static final long serialVersionUID = 1L;

    /** What the caller can do about it. */
    public enum Kind {
        /** No agent answers there, or not any more: see that it runs and can be reached, then run again. */
        UNREACHABLE,
        /** One side doesn't believe the other's certificate. */
        CERTIFICATE,
        /** The agent answered with an error: see {@link #code}. */
        REFUSED,
        /** What came back breaks the protocol. */
        PROTOCOL
    }

    private final Kind kind;
    private final ErrorCode code;

    /** An error of the connection. */
    public AgentException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
        this.code = ErrorCode.OTHER;
    }

    /** An error that the agent sent. */
    public AgentException(ErrorCode code, String message) {
        super(message);
        this.kind = code == ErrorCode.PROTOCOL ? Kind.PROTOCOL : Kind.REFUSED;
        this.code = code;
    }

    /** What kind of error it is. */
    public Kind kind() {
        return kind;
    }

    /** The agent's error code, if it sent one; {@link ErrorCode#OTHER} otherwise. */
    public ErrorCode code() {
        return code;
    }
}
