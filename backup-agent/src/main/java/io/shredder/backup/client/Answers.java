// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.client;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Waits for what an {@link AgentClient} promised. */
public final class Answers {

    private Answers() {}

    /**
     * The value, or the error as an {@link IOException}: an {@link AgentException} if the agent or the connection caused it.
     */
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
}
