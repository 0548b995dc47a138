// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.session;

import io.shredder.backup.agent.access.ClientAccess;
import io.shredder.backup.agent.access.Right;
import io.shredder.backup.agent.audit.AuditLog;
import io.shredder.backup.wire.ErrorCode;
import io.shredder.backup.wire.FrameType;
import io.shredder.backup.wire.Request;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which right a request needs ({@code docs/formats/wire.md}, section 1), and whether one session's client has it. One
 * thread.
 */
public final class RequestRights {

    private static final Logger LOG = LoggerFactory.getLogger(RequestRights.class);

    private final ClientAccess access;
    private final AuditLog audit;
    private boolean audited;

    public RequestRights(ClientAccess access, AuditLog audit) {
        this.access = access;
        this.audit = audit;
    }

    /** Refuses what the client may not do. */
    void check(Request request) throws RefusedException {
        if (!permits(request)) {
            note(request);
            throw new RefusedException(
                    ErrorCode.NOT_PERMITTED,
                    "client " + access.client() + " may not do this (" + request.type() + "): it lacks the right '"
                            + sufficingFor(request).get(0).word() + "' in the agent's file of rights");
        }
    }

    /** Whether the client may do this. */
    boolean permits(Request request) {
        List<Right> sufficing = sufficingFor(request);
        return sufficing.isEmpty() || !Collections.disjoint(sufficing, access.rights());
    }

    /** The first refusal of a session alone, and few of many sessions: a client can't fill the disk with them. */
    void note(Request request) {
        if (audited) {
            return;
        }
        audited = true;
        LOG.warn("refused client {} a {}", access.client(), request.type());
        try {
            audit.refused(
                    access.client().value(),
                    access.namespace().value(),
                    request.type().name());
        } catch (IOException e) {
            LOG.error("can't write the refusal to the audit log: {}", e.getMessage());
        }
    }

    /**
     * The rights any of which is enough, or none for what every client that is let in may ask. A backup, too, looks at
     * the last list.
     */
    private static List<Right> sufficingFor(Request request) {
        FrameType type = request.type();
        return switch (type) {
            case PUT, SYNC, BEGIN, INVITE, JOIN, APPEND, SHARE, MEND_PAGE, PREPARE, COMMIT -> List.of(Right.APPEND);
            case LOOKUP, SHOW, LIST_PAGES -> List.of(Right.RESTORE, Right.APPEND);
            case FETCH, FETCH_MANY, VERIFY, VERIFY_SOME -> List.of(Right.RESTORE);
            case DELETE, COLLECT -> List.of(Right.PRUNE);
            case CONFIRM -> List.of(Right.CONFIRM);
            case PENDING, WITHDRAW -> List.of(Right.CONFIRM, Right.PRUNE);
            default -> List.of();
        };
    }
}
