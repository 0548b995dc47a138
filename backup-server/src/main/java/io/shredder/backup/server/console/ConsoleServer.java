// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.console;

import io.shredder.backup.console.ConsoleListener;
import io.shredder.backup.server.config.ConsoleConfig;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;

/** Listens for the console where the configuration has one. */
public final class ConsoleServer implements Closeable {

    private final Optional<ConsoleListener> listener;

    private ConsoleServer(Optional<ConsoleListener> listener) {
        this.listener = listener;
    }

    /**
     * Starts to answer.
     *
     * @param config where; nothing listens without one
     * @throws IOException naming the address that can't be had, or the file of TLS that can't be used
     */
    public static ConsoleServer start(Optional<ConsoleConfig> config, ConsoleSources sources) throws IOException {
        if (config.isEmpty()) {
            return new ConsoleServer(Optional.empty());
        }
        ConsoleConfig console = config.get();
        return new ConsoleServer(Optional.of(ConsoleListener.start(
                console.listen(),
                console.access().map(ConsoleConfig.Access::tls),
                new ConsoleSite(console, sources),
                "name another address as 'console.listen' in the configuration")));
    }

    /** Where a browser finds it. */
    public Optional<String> address() {
        return listener.map(ConsoleListener::address);
    }

    @Override
    public void close() {
        listener.ifPresent(ConsoleListener::close);
    }
}
