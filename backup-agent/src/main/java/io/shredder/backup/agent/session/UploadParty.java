// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.session;

import io.shredder.backup.agent.collect.LiveRoots;
import io.shredder.backup.agent.store.Invitations;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.ErrorCode;
import io.shredder.backup.wire.Invitation;
import io.shredder.backup.wire.UploadRequest;
import java.util.Optional;
import java.util.UUID;

/**
 * Whose open snapshot the chunks are promised to that one session finds and puts: its own, or another connection's of
 * the same client. One thread.
 */
final class UploadParty {

    private final Invitations invitations;
    private final SnapshotName client;
    private final LiveRoots own;
    private LiveRoots keeper;
    private Optional<UUID> invitation = Optional.empty();

    /** @param client by its certificate: another one of its namespace is another client */
    UploadParty(Invitations invitations, SnapshotName client, LiveRoots own) {
        this.invitations = invitations;
        this.client = client;
        this.own = own;
        this.keeper = own;
    }

    /** What is promised is kept by this. */
    LiveRoots keeper() {
        return keeper;
    }

    /** This session's own snapshot is open from now on. */
    void begins() {
        keeper = own;
    }

    /** It is not any more. */
    void ends() {
        invitation.ifPresent(invitations::withdraw);
        invitation = Optional.empty();
    }

    /** @param open whether this session has a snapshot open */
    Answer answer(UploadRequest request, boolean open) throws RefusedException {
        if (request instanceof UploadRequest.Join join) {
            return join(join.token(), open);
        } else if (!open) {
            throw new RefusedException(ErrorCode.INVALID, "no snapshot is open on this connection");
        }
        if (invitation.isEmpty()) {
            invitation = Optional.of(invitations.invite(client, own));
        }
        return new Invitation(invitation.get());
    }

    private Answer join(UUID to, boolean open) throws RefusedException {
        if (open) {
            throw new RefusedException(ErrorCode.INVALID, "a snapshot is open on this connection itself");
        }
        keeper = invitations
                .join(client, to)
                .orElseThrow(() -> new RefusedException(
                        ErrorCode.NOT_FOUND, "client " + client + " has no open snapshot by this invitation"));
        return new Answer.Done();
    }
}
