// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.trust;

import io.shredder.backup.region.RegionFormat;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.AgentRoute;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.Request;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** An agent that answers as a test says. */
public final class ScriptedRoute implements AgentRoute {

    private final UUID repository;
    private final Function<Request, Answer> answers;

    /** Of one repository, to the client {@code site1}. */
    public ScriptedRoute(UUID repository, Function<Request, Answer> answers) {
        this.repository = repository;
        this.answers = answers;
    }

    @Override
    public Answer.Greeting greeting() {
        return new Answer.Greeting(
                5, 6, RegionFormat.MAX_CHUNK_BYTES, repository, new SnapshotName("site1"), "scripted");
    }

    @Override
    public int version() {
        return 6;
    }

    @Override
    public CompletableFuture<Answer> ask(Request request) {
        return CompletableFuture.completedFuture(answers.apply(request));
    }

    @Override
    public void giveBack(List<StoredRegion> regions) {}

    @Override
    public long sentBytes() {
        return 0;
    }

    @Override
    public long receivedBytes() {
        return 0;
    }

    @Override
    public void close() {}
}
