// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.backup;

import io.shredder.it.backup.Contender.Invocation;
import java.util.List;
import java.util.Map;

/** kopia: AES-256-GCM, told to compress with zstd, which it does not by default; restores with holes. */
final class Kopia implements Tool {
    @Override
    public String name() {
        return "kopia";
    }

    @Override
    public Map<String, String> environment(Site site) {
        return Map.of(
                "KOPIA_PASSWORD", Site.PASSPHRASE,
                "KOPIA_CONFIG_PATH", site.folder().resolve("kopia.config").toString(),
                "KOPIA_CACHE_DIRECTORY", site.folder().resolve("cache").toString(),
                "KOPIA_LOG_DIR", site.folder().resolve("logs").toString(),
                "KOPIA_CHECK_FOR_UPDATES", "false");
    }

    @Override
    public List<Invocation> initialise(Site site) {
        return List.of(
                site.run("repository", "create", "filesystem", "--no-progress", "--path", site.repository()),
                site.run("policy", "set", "--global", "--compression=zstd-fastest"));
    }

    @Override
    public List<Invocation> commands(Operation operation, Site site) {
        return switch (operation) {
            case FIRST, UNCHANGED, CHANGED ->
                List.of(site.run(
                        "snapshot",
                        "create",
                        "--no-progress",
                        "--force-hash=100",
                        site.sources().of(operation)));
            case RESTORE, LOCAL_RESTORE ->
                List.of(site.run(
                        "snapshot",
                        "restore",
                        "--no-progress",
                        "--write-sparse-files",
                        site.sources().second(),
                        site.restored()));
            case VERIFY -> List.of(site.run("content", "verify", "--full"));
            case PRUNE ->
                List.of(
                        site.run(
                                "snapshot",
                                "delete",
                                "--all-snapshots-for-source",
                                "--delete",
                                site.sources().first()),
                        maintenance(site),
                        maintenance(site));
        };
    }

    /** What the first one finds unused, the second one gives back. */
    private static Invocation maintenance(Site site) {
        return site.run("maintenance", "run", "--full", "--safety=none");
    }
}
