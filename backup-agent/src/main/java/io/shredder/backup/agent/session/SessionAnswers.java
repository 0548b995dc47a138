// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.session;

import io.shredder.backup.agent.file.DurableFiles;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.ErrorCode;
import io.shredder.backup.wire.Request;
import io.shredder.chunk.DamagedDataException;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a session answers, and in its place what kept it from answering. One thread. */
public final class SessionAnswers {

    private static final Logger LOG = LoggerFactory.getLogger(SessionAnswers.class);

    private final ClientSession session;
    private final SnapshotName client;
    private boolean storageFailureLogged;

    /** The session stays the caller's. */
    public SessionAnswers(ClientSession session, SnapshotName client) {
        this.session = session;
        this.client = client;
    }

    /** The answer, {@link Answer.Failure} if something went wrong. */
    public Answer to(Request request) {
        try {
            return session.answer(request);
        } catch (DamagedDataException e) {
            LOG.error("{} of client {}: {}", request.type(), client, e.getMessage());
            return new Answer.Failure(
                    ErrorCode.DAMAGED,
                    e.getMessage()
                            + ": back the image up again or run 'shredder-backup repair', or 'backup-agent rebuild-index' there if it is the index");
        } catch (IOException e) {
            logStorageFailure(request, e);
            return DurableFiles.isFull(e)
                    ? new Answer.Failure(
                            ErrorCode.STORAGE_FULL,
                            "the agent's disk is full (" + e.getMessage()
                                    + "): free or add space there, then run again")
                    : new Answer.Failure(ErrorCode.STORAGE_FAILED, "the agent's storage failed: " + e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("bug while answering {} of client {}", request.type(), client, e);
            return new Answer.Failure(ErrorCode.INTERNAL, "the agent failed on " + request.type() + ": see its log");
        }
    }

    /** A client has many requests under way, and a full disk fails them all: one line a connection is enough. */
    private void logStorageFailure(Request request, IOException error) {
        if (!storageFailureLogged) {
            LOG.error("{} of client {}: {}", request.type(), client, error.toString());
            storageFailureLogged = true;
        }
    }
}
