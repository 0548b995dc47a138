// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.cli;

import io.shredder.backup.agent.dispersal.DispersalConfig;
import io.shredder.backup.agent.dispersal.scrub.RebuildReport;
import io.shredder.backup.agent.dispersal.scrub.Replacement;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code backup-agent replace-keeper}. */
@Command(
        name = "replace-keeper",
        description = {
            "Put an empty folder in the place of a keeper that is lost, and fill it from the others. The agent must not be running.",
            "It may be stopped at any moment, and typed again to go on. With --later the folder is only taken in, and the agent fills it while it runs. Exit code 1 says that it isn't filled."
        },
        mixinStandardHelpOptions = true)
final class ReplaceKeeperCommand implements Callable<Integer> {

    @Option(
            names = "--keepers",
            required = true,
            paramLabel = "FILE",
            description =
                    "The file that names the keepers, as in --store disperse:FILE, with the new folder in the lost one's place.")
    private Path keepers = Path.of("");

    @Option(
            names = "--place",
            required = true,
            paramLabel = "NUMBER",
            description = "The keeper's place in FILE's list, from 0 on.")
    private int place;

    @Option(names = "--later", description = "Only take the folder in. The agent fills it, while backups go on.")
    private boolean later;

    @Mixin
    private KeeperTlsOptions tls = new KeeperTlsOptions();

    @Override
    public Integer call() throws IOException {
        DispersalConfig config = DispersalConfig.read(keepers, tls.remotes());
        try (Replacement replacement = Replacement.open(config, place, Clock.systemUTC())) {
            String keeper = "keeper " + place + " (" + config.keepers().get(place) + ")";
            if (later) {
                System.out.println(keeper + " is taken in: start the agent, which fills it");
                return 0;
            }
            RebuildReport report = replacement.run(new KeeperProgress("wrote", System.err::println));
            report.left().forEach(line -> System.err.println("backup-agent: " + line));
            System.out.println(keeper
                    + (report.whole()
                            ? " has everything"
                            : " lacks " + report.left().size() + " files: " + remedy())
                    + "; wrote " + report.files() + " files, " + report.bytes() + " bytes");
            return report.whole() ? 0 : 1;
        }
    }

    private static String remedy() {
        return "bring back keepers that are away and type this again, or start the agent, which goes on with it";
    }
}
