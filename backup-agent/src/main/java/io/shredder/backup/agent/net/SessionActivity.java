// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.net;

import io.shredder.backup.agent.access.ClientAccess;
import io.shredder.backup.agent.session.SessionStatus;
import io.shredder.backup.agent.session.SessionStatus.Task;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.FrameType;
import io.shredder.backup.wire.Request;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/** What a connection's worker has done so far. One thread tells it; any may ask. */
final class SessionActivity {

    private final ClientAccess access;
    private final String from;
    private final InstantSource clock;
    private final Instant since;
    private final LongAdder requests = new LongAdder();
    private final LongAdder receivedBytes = new LongAdder();
    private final LongAdder answeredBytes = new LongAdder();
    private volatile Optional<Task> task = Optional.empty();
    private volatile Optional<SnapshotName> series = Optional.empty();
    private volatile Optional<Instant> lastRequest = Optional.empty();

    SessionActivity(ClientAccess access, String from, InstantSource clock) {
        this.access = access;
        this.from = from;
        this.clock = clock;
        this.since = clock.instant();
    }

    /** A request is taken up. */
    void begins(Request request, int bodyBytes) {
        requests.increment();
        receivedBytes.add(bodyBytes);
        task = Optional.of(taskOf(request.type()));
        lastRequest = Optional.of(clock.instant());
        if (request instanceof Request.Begin begin) {
            series = Optional.of(begin.name());
        }
    }

    /** It has its answer. */
    void answered(Request request, int bodyBytes) {
        answeredBytes.add(bodyBytes);
        if (request instanceof Request.Commit) {
            series = Optional.empty();
        }
    }

    private static Task taskOf(FrameType type) {
        return switch (type) {
            case FETCH, FETCH_MANY, SHOW, LIST_PAGES -> Task.READ;
            case VERIFY, VERIFY_SOME -> Task.VERIFY;
            case COLLECT -> Task.COLLECT;
            case DELETE, PENDING, CONFIRM, WITHDRAW -> Task.DELETE;
            case LIST, LIST_SERIES, STATS, KEEPERS -> Task.LIST;
            default -> Task.BACKUP;
        };
    }

    SessionStatus status() {
        return new SessionStatus(
                access.client(),
                access.namespace(),
                from,
                since,
                task,
                series,
                lastRequest,
                new SessionStatus.Progress(requests.sum(), receivedBytes.sum(), answeredBytes.sum()));
    }
}
