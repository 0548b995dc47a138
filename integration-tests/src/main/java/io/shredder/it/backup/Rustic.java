// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.backup;

import io.shredder.it.backup.Contender.Invocation;
import java.util.List;
import java.util.Map;

/** rustic: restic's format; restores with holes; told to delete at once, as the others do. */
final class Rustic implements Tool {
    @Override
    public String name() {
        return "rustic";
    }

    @Override
    public Map<String, String> environment(Site site) {
        return Map.of(
                "RUSTIC_REPOSITORY", site.repository().toString(),
                "RUSTIC_PASSWORD", Site.PASSPHRASE,
                "RUSTIC_NO_PROGRESS", "true",
                "RUSTIC_CACHE_DIR", site.folder().resolve("cache").toString(),
                "HOME", site.folder().toString());
    }

    @Override
    public List<Invocation> initialise(Site site) {
        return List.of(site.run("init"));
    }

    @Override
    public List<Invocation> commands(Operation operation, Site site) {
        return switch (operation) {
            case FIRST, UNCHANGED, CHANGED ->
                List.of(site.run("backup", "--force", site.sources().of(operation)));
            case RESTORE, LOCAL_RESTORE ->
                List.of(site.run(
                        "restore",
                        "--sparse",
                        "by-content",
                        "latest:" + site.sources().second(),
                        site.restored()));
            case VERIFY -> List.of(site.run("check", "--read-data"));
            case PRUNE ->
                List.of(site.run(
                        "forget",
                        "--group-by",
                        "",
                        "--keep-last",
                        1,
                        "--prune",
                        "--instant-delete",
                        "--keep-delete",
                        "0s"));
        };
    }
}
