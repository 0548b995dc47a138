// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.console;

import io.shredder.backup.console.ConsoleListener;
import io.shredder.backup.console.Visitors;
import io.shredder.backup.wire.HostPort;
import io.shredder.backup.wire.TlsFiles;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;

/** Listens for the agent's console. To be closed before the repository. */
public final class AgentConsole implements Closeable {

    private final StoreCount count;
    private final ConsoleListener listener;

    private AgentConsole(StoreCount count, ConsoleListener listener) {
        this.count = count;
        this.listener = listener;
    }

    /**
     * Starts to answer.
     *
     * @param tls who the console is, and who signs people's certificates; empty on a loopback address
     * @throws IOException naming the address that can't be had, or the file of TLS that can't be used
     */
    public static AgentConsole start(HostPort listen, Optional<TlsFiles> tls, Visitors visitors, AgentSources sources)
            throws IOException {
        StoreCount count = new StoreCount(sources.repository(), sources.clock());
        try {
            return new AgentConsole(
                    count,
                    ConsoleListener.start(
                            listen, tls, new AgentSite(visitors, sources, count), "name another with --console"));
        } catch (IOException e) {
            count.close();
            throw e;
        }
    }

    /** Where a browser finds it. */
    public String address() {
        return listener.address();
    }

    @Override
    public void close() {
        listener.close();
        count.close();
    }
}
