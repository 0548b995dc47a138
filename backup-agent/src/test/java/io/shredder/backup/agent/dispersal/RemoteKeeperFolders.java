// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import io.shredder.backup.agent.dispersal.home.KeeperHome;
import io.shredder.backup.agent.keep.KeepDaemon;
import io.shredder.backup.agent.keep.KeepSite;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** A store's keepers, some of which are asked over the network and can die. One thread. */
public final class RemoteKeeperFolders implements Closeable {

    private final RemovableFolders folders;
    private final KeepSite site;
    private final Map<Integer, KeepDaemon> running = new TreeMap<>();
    private final Map<Integer, Integer> ports = new TreeMap<>();

    /** Empty ones, of which the first ones are elsewhere. */
    public RemoteKeeperFolders(Path root, int data, int parity, int remote) throws IOException {
        folders = RemovableFolders.make(root, data, parity);
        site = new KeepSite(root.resolve("site"));
        for (int i = 0; i < remote; i++) {
            running.put(i, site.start(folders.keeper(i)));
            ports.put(i, running.get(i).address().getPort());
        }
    }

    public RemovableFolders folders() {
        return folders;
    }

    /** For an agent of one of the clients agent1 and agent2. */
    public DispersalConfig config(String client, UUID holder) throws IOException {
        List<KeeperHome> homes = new ArrayList<>();
        for (int i = 0; i < folders.count(); i++) {
            Integer port = ports.get(i);
            homes.add(port == null ? folders.home(i) : site.homes(client).at("127.0.0.1", port, holder));
        }
        return new DispersalConfig(folders.data(), folders.parity(), homes);
    }

    /** As an agent that is always the same. */
    public DispersedStorage open() throws IOException {
        return DispersedStorage.open(config("agent1", new UUID(0, 1)));
    }

    /** Its process ends. */
    public void kill(int index) throws IOException {
        running.remove(index).close();
    }

    /** It runs again, where it was. */
    public void start(int index) throws IOException {
        running.put(index, site.startAt(folders.keeper(index), ports.get(index)));
    }

    @Override
    public void close() throws IOException {
        site.close();
    }
}
