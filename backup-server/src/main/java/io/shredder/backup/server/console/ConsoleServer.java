// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.console;

import io.shredder.backup.monitoring.PageServer;
import io.shredder.backup.server.config.ConsoleConfig;
import io.shredder.backup.wire.HostPort;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** Listens for the console, in a thread {@code console}, where the configuration has one. */
public final class ConsoleServer implements Closeable {

    private static final Duration LONGEST_CONNECTION = Duration.ofSeconds(30);

    /** Of a core, in the long run: a flood takes no more from backups. */
    private static final double SHARE = 0.25;

    private final Optional<PageServer> pages;
    private final Optional<String> address;

    private ConsoleServer(Optional<PageServer> pages, Optional<String> address) {
        this.pages = pages;
        this.address = address;
    }

    /**
     * Starts to answer.
     *
     * @param config where; nothing listens without one
     * @throws IOException naming the address that can't be had, or the file of TLS that can't be used
     */
    public static ConsoleServer start(Optional<ConsoleConfig> config, ConsoleSources sources) throws IOException {
        if (config.isEmpty()) {
            return new ConsoleServer(Optional.empty(), Optional.empty());
        }
        ConsoleConfig console = config.get();
        PageServer pages = PageServer.start(
                new PageServer.Settings(
                        console.listen(),
                        "console",
                        console.access().map(ConsoleConfig.Access::tls),
                        LONGEST_CONNECTION,
                        SHARE,
                        "name another address as 'console.listen' in the configuration"),
                new ConsoleSite(console, sources));
        String scheme = console.access().isPresent() ? "https" : "http";
        HostPort at = new HostPort(console.listen().host(), pages.port());
        return new ConsoleServer(Optional.of(pages), Optional.of(scheme + "://" + at + "/"));
    }

    /** Where a browser finds it. */
    public Optional<String> address() {
        return address;
    }

    @Override
    public void close() {
        pages.ifPresent(PageServer::close);
    }
}
