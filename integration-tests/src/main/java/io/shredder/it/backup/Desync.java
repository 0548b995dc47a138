// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.backup;

import io.shredder.it.backup.Contender.Invocation;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** desync: zstd, no encryption, a file a chunk; an index a snapshot. */
final class Desync implements Tool {
    @Override
    public String name() {
        return "desync";
    }

    @Override
    public Map<String, String> environment(Site site) {
        return Map.of("HOME", site.folder().toString());
    }

    @Override
    public List<Invocation> initialise(Site site) {
        return List.of();
    }

    @Override
    public List<Invocation> commands(Operation operation, Site site) {
        return switch (operation) {
            case FIRST, UNCHANGED, CHANGED ->
                List.of(site.run(
                        "make",
                        "-s",
                        site.repository(),
                        index(operation, site),
                        site.sources().of(operation).resolve(Sources.FILE)));
            case RESTORE, LOCAL_RESTORE ->
                List.of(site.run(
                        "extract",
                        "-s",
                        site.repository(),
                        index(Operation.CHANGED, site),
                        site.restored().resolve(Sources.FILE)));
            case VERIFY -> List.of(site.run("verify", "-s", site.repository()));
            case PRUNE -> List.of(site.run("prune", "--yes", "-s", site.repository(), index(Operation.CHANGED, site)));
        };
    }

    private static Path index(Operation operation, Site site) {
        return site.folder().resolve(operation.title() + ".caibx");
    }
}
