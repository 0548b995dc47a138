// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.backup;

import io.shredder.it.backup.Contender.Invocation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * borg: lz4, AES-256-CTR with HMAC-SHA256; restores with holes. With blocks of a fixed length it stands for what is
 * fast on an unchanged disk, and only that is measured.
 */
final class Borg implements Tool {
    private final boolean fixedBlocks;

    Borg(boolean fixedBlocks) {
        this.fixedBlocks = fixedBlocks;
    }

    @Override
    public String name() {
        return fixedBlocks ? "borg-fixed" : "borg";
    }

    @Override
    public String program() {
        return "borg";
    }

    @Override
    public Set<Operation> operations() {
        return fixedBlocks ? Set.of(Operation.FIRST, Operation.UNCHANGED) : Tool.super.operations();
    }

    @Override
    public Map<String, String> environment(Site site) {
        return Map.of(
                "BORG_REPO",
                site.repository().toString(),
                "BORG_PASSPHRASE",
                Site.PASSPHRASE,
                "BORG_BASE_DIR",
                site.folder().toString(),
                "BORG_CHECK_I_KNOW_WHAT_I_AM_DOING",
                "YES");
    }

    @Override
    public List<Invocation> initialise(Site site) {
        return List.of(site.run("init", "--encryption", "repokey"));
    }

    @Override
    public List<Invocation> commands(Operation operation, Site site) {
        return switch (operation) {
            case FIRST, UNCHANGED, CHANGED -> List.of(create(operation, site));
            case RESTORE, LOCAL_RESTORE ->
                List.of(site.runIn(site.restored(), "extract", "--sparse", "::" + Operation.CHANGED.title()));
            case VERIFY -> List.of(site.run("check", "--verify-data"));
            case PRUNE -> List.of(site.run("prune", "--keep-last", 1), site.run("compact"));
        };
    }

    private Invocation create(Operation operation, Site site) {
        var words = new ArrayList<Object>(List.of("create", "--files-cache", "disabled"));
        if (fixedBlocks) {
            words.addAll(List.of("--chunker-params", "fixed,4194304"));
        }
        words.addAll(List.of("::" + operation.title(), Sources.FILE));
        return site.runIn(site.sources().of(operation), words.toArray());
    }
}
