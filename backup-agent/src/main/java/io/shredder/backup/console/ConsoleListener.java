// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.console;

import io.shredder.backup.monitoring.PageServer;
import io.shredder.backup.wire.HostPort;
import io.shredder.backup.wire.TlsFiles;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** Listens for a console, in a thread {@code console}. */
public final class ConsoleListener implements Closeable {

    private static final Duration LONGEST_CONNECTION = Duration.ofSeconds(30);

    /** Of a core, in the long run: a flood takes no more from backups. */
    private static final double SHARE = 0.25;

    private final PageServer pages;
    private final String address;

    private ConsoleListener(PageServer pages, String address) {
        this.pages = pages;
        this.address = address;
    }

    /**
     * Starts to answer.
     *
     * @param tls who the console is, and who signs people's certificates; empty on a loopback address
     * @param remedy what to do if the address can't be had
     * @throws IOException naming the address that can't be had, or the file of TLS that can't be used
     */
    public static ConsoleListener start(HostPort listen, Optional<TlsFiles> tls, ApiSite site, String remedy)
            throws IOException {
        PageServer pages = PageServer.start(
                new PageServer.Settings(listen, "console", tls, LONGEST_CONNECTION, SHARE, remedy), site);
        HostPort at = new HostPort(listen.host(), pages.port());
        return new ConsoleListener(pages, (tls.isPresent() ? "https" : "http") + "://" + at + "/");
    }

    /** Where a browser finds it. */
    public String address() {
        return address;
    }

    @Override
    public void close() {
        pages.close();
    }
}
