// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli;

import io.shredder.backup.client.Answers;
import io.shredder.engine.Shredder;
import io.shredder.engine.ShredderOptions;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * An engine that is opened while its owner does other things: looking for a GPU takes a fifth of a second. For one
 * thread.
 */
final class EngineStart implements AutoCloseable {

    private final CompletableFuture<Shredder> engine;

    EngineStart(ShredderOptions options) {
        engine = CompletableFuture.supplyAsync(() -> open(options), EngineStart::run);
    }

    private static void run(Runnable opening) {
        Thread thread = new Thread(opening, "backup-engine");
        thread.setDaemon(true);
        thread.start();
    }

    private static Shredder open(ShredderOptions options) {
        try {
            return Shredder.open(options);
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    /**
     * The engine, which stays this one's. Waits for it.
     *
     * @throws IOException if it could not be opened
     */
    Shredder get() throws IOException {
        return Answers.await(engine);
    }

    /** Closes the engine once it is open. */
    @Override
    public void close() {
        engine.handle((opened, failed) -> Optional.ofNullable(opened))
                .thenAccept(opened -> opened.ifPresent(Shredder::close))
                .join();
    }
}
