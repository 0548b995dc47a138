// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.client;

import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.ErrorCode;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Waits for what an {@link AgentClient} promised. */
public final class Answers {

    private Answers() {}

    /** The value, or an {@link IOException}: {@link AgentException} if the agent or the connection caused it. */
    public static <T> T await(CompletableFuture<T> future) throws IOException {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for the agent", e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            while (cause instanceof CompletionException && cause.getCause() != null) {
                cause = cause.getCause();
            }
            if (cause instanceof AgentException known) {
                throw known;
            } else if (cause instanceof IOException io) {
                throw io;
            }
            throw new IOException(String.valueOf(cause), cause);
        }
    }

    /** The answer, which must be of this type; for what is chained to a future. */
    static <T extends Answer> T expect(Answer answer, Class<T> type) {
        if (answer instanceof Answer.Failure failure) {
            throw new CompletionException(new AgentException(failure.code(), failure.text()));
        }
        if (!type.isInstance(answer)) {
            throw new CompletionException(new AgentException(
                    ErrorCode.PROTOCOL,
                    "the agent answered " + answer.type() + " where " + type.getSimpleName() + " was due"));
        }
        return type.cast(answer);
    }
}
