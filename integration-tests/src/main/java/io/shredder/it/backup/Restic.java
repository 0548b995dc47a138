// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.backup;

import io.shredder.it.backup.Contender.Invocation;
import java.util.List;
import java.util.Map;

/** restic: zstd, AES-256-CTR with Poly1305; restores with holes. */
final class Restic implements Tool {
    @Override
    public String name() {
        return "restic";
    }

    @Override
    public Map<String, String> environment(Site site) {
        return Map.of(
                "RESTIC_REPOSITORY", site.repository().toString(),
                "RESTIC_PASSWORD", Site.PASSPHRASE,
                "RESTIC_CACHE_DIR", site.folder().resolve("cache").toString());
    }

    @Override
    public List<Invocation> initialise(Site site) {
        return List.of(site.run("init"));
    }

    @Override
    public List<Invocation> commands(Operation operation, Site site) {
        return switch (operation) {
            case FIRST, UNCHANGED, CHANGED ->
                List.of(site.runIn(site.sources().of(operation), "backup", "--force", Sources.FILE));
            case RESTORE, LOCAL_RESTORE ->
                List.of(site.run("restore", "--sparse", "latest", "--target", site.restored()));
            case VERIFY -> List.of(site.run("check", "--read-data"));
            case PRUNE -> List.of(site.run("forget", "--group-by", "", "--keep-last", 1, "--prune"));
        };
    }
}
