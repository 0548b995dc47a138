// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli.option;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.seal.Remarks;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.server.backup.BackupSession;
import io.shredder.backup.server.stage.Cores;
import io.shredder.backup.server.trust.KnownCommits;
import io.shredder.engine.Shredder;
import io.shredder.engine.ShredderOptions;
import java.io.IOException;
import picocli.CommandLine.Mixin;

/** Where a command sends what it backs up, under which key, and by how much of this machine. */
public final class SendOptions {

    @Mixin
    private AgentOptions agent = new AgentOptions();

    @Mixin
    private KeyOptions keys = new KeyOptions();

    @Mixin
    private RemarkOptions remarks = new RemarkOptions();

    @Mixin
    private CoresOption cores = new CoresOption();

    @Mixin
    private CacheOptions cache = new CacheOptions();

    @Mixin
    private StateOptions state = new StateOptions();

    /** A new connection, which the caller closes. */
    public AgentClient connect() throws IOException {
        return agent.connect();
    }

    /** The key that seals. */
    public RepositoryKey unlock() throws IOException {
        return keys.unlock();
    }

    /**
     * On each snapshot.
     *
     * @throws IllegalArgumentException naming what is above a limit
     */
    public Remarks remarks() {
        return remarks.remarks();
    }

    /** How the engine runs. */
    public ShredderOptions engine(ShredderOptions.Devices backend) {
        return cores.engine(backend);
    }

    /** What this site has seen of the agent. */
    public KnownCommits known() {
        return state.commits();
    }

    /** A session on a connection, which stays the caller's. */
    public BackupSession session(AgentClient client, Shredder engine, RepositoryKey key, boolean privateLists)
            throws IOException {
        Cores all = cores.get();
        return new BackupSession(client, engine, key, cache.caches(), known(), privateLists, all);
    }
}
