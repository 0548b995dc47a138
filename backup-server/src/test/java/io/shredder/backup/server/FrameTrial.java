// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.trial.Tally;
import io.shredder.backup.trial.Trial;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Bad frames at one agent's process with its default heap, from all workers at once, through TLS and before it. It
 * answers each request that can be read, whatever it asks for, says why it closes a connection, stays as small as it
 * was, and serves the next client.
 */
public final class FrameTrial implements Trial {

    private static final long MOST_HEAP_GROWTH_BYTES = 24 << 20;
    private static final long MOST_RESIDENT_BYTES = 600_000_000;
    private static final int MOST_THREADS_MORE = 4;

    private @Nullable AgentProcess agent;
    private AgentProcess.@Nullable Size before;

    @Override
    public String name() {
        return "frames";
    }

    @Override
    public Worker open(Path folder, long seed) throws Exception {
        return new Connections(agent(folder));
    }

    private synchronized AgentProcess agent(Path folder) throws Exception {
        if (agent == null) {
            AgentProcess started = new AgentProcess(folder.resolveSibling("frames-agent"));
            agent = started;
            Tally warmUp = new Tally();
            for (int i = 0; i < 60; i++) {
                new FuzzedConnection(started, new Random(i), warmUp).run();
            }
            started.awaitNoClient();
            before = started.size();
        }
        return agent;
    }

    private record Connections(AgentProcess agent) implements Worker {

        @Override
        public int attempt(long number, long seed, Tally tally) throws Exception {
            int frames = new FuzzedConnection(agent, new Random(seed), tally).run();
            tally.count("connections");
            return frames;
        }

        @Override
        public void close() {}
    }

    /** Nothing has grown, and another client is served. */
    @Override
    public String finish() throws IOException, InterruptedException {
        AgentProcess fuzzed = agent;
        AgentProcess.Size small = before;
        if (fuzzed == null || small == null) {
            return "";
        }
        try (fuzzed) {
            fuzzed.awaitNoClient();
            fuzzed.checkServes();
            AgentProcess.Size now = fuzzed.size();
            String figures = "agent before: " + small + "; after: " + now;
            if (now.heapBytes() - small.heapBytes() > MOST_HEAP_GROWTH_BYTES
                    || now.mostResidentBytes() > MOST_RESIDENT_BYTES
                    || now.threads() > small.threads() + MOST_THREADS_MORE
                    || now.files() > small.files() + MOST_THREADS_MORE) {
                throw new AssertionError("the agent has grown: " + figures);
            }
            return figures;
        }
    }
}
