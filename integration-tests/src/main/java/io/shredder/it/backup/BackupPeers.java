// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.backup;

import io.shredder.it.process.Children;
import io.shredder.it.process.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Other people's backup programs, built by {@code tools/peers/backup.sh} where their toolchains are. */
public final class BackupPeers {
    private static final List<Tool> TOOLS =
            List.of(new Restic(), new Borg(false), new Borg(true), new Kopia(), new Desync(), new Rustic());

    private final Path folder;
    private final Children children;

    private BackupPeers(Path folder, Children children) {
        this.folder = folder;
        this.children = children;
    }

    /** The names that there are. */
    public static List<String> names() {
        return TOOLS.stream().map(Tool::name).toList();
    }

    /**
     * The peers in a folder, built into it first unless they are there.
     *
     * @param wanted names; others are neither built nor told as missing
     */
    public static BackupPeers in(Path folder, Path checkout, List<String> wanted, Children children)
            throws IOException, InterruptedException {
        List<String> programs = TOOLS.stream()
                .filter(tool -> wanted.contains(tool.name()))
                .map(Tool::program)
                .distinct()
                .toList();
        if (!programs.isEmpty()) {
            var words = new ArrayList<String>();
            words.add(checkout.resolve("tools/peers/backup.sh").toString());
            words.add(folder.toString());
            words.addAll(programs);
            children.run(new Command("peers-build", words, Map.of(), checkout, folder.resolve("build.log")));
        }
        return new BackupPeers(folder, children);
    }

    /** The peers that were built into a folder before. */
    public static BackupPeers builtIn(Path folder, Children children) {
        return new BackupPeers(folder, children);
    }

    /** Makes a peer's repository and gives it, by name; empty if its program is missing. */
    public Optional<Contender.Opener> opener(String name) {
        Tool tool = tool(name);
        Path program = folder.resolve("bin").resolve(tool.program());
        return Files.isExecutable(program)
                ? Optional.of((work, sources) -> PeerContender.open(tool, program, work, sources, children))
                : Optional.empty();
    }

    /** Why a peer is missing. */
    public String whyMissing(String name) throws IOException {
        Path reason = folder.resolve(tool(name).program() + ".missing");
        return Files.exists(reason) ? Files.readString(reason).strip() : "no program in " + folder;
    }

    private static Tool tool(String name) {
        return TOOLS.stream()
                .filter(tool -> tool.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
