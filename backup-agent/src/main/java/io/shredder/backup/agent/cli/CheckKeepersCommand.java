// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.cli;

import io.shredder.backup.agent.dispersal.DispersalConfig;
import io.shredder.backup.agent.dispersal.Versions;
import io.shredder.backup.agent.dispersal.scrub.Scrub;
import io.shredder.backup.agent.dispersal.scrub.ScrubReport;
import io.shredder.backup.agent.store.GivenUpFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code backup-agent check-keepers}. */
@Command(
        name = "check-keepers",
        description = {
            "Check every byte that the keepers of a store have. The agent must not be running.",
            "What is damaged or missing is named by keeper, file and offset; with --repair it is written anew from the others. Exit code 1 says that something is not as it should be now."
        },
        mixinStandardHelpOptions = true)
final class CheckKeepersCommand implements Callable<Integer> {

    @Option(
            names = "--keepers",
            required = true,
            paramLabel = "FILE",
            description = "The file that names the keepers, as in --store disperse:FILE.")
    private Path keepers = Path.of("");

    @Option(names = "--repair", description = "Write anew what is damaged or missing, also what is owed.")
    private boolean repair;

    @ArgGroup(exclusive = false, heading = "%nTo give up a file of which it can't be told what counts:%n")
    private @Nullable Loss loss;

    private static final class Loss {

        @Option(
                names = "--give-up",
                required = true,
                paramLabel = "FILE",
                description =
                        "Take the version before for the one that counts or, if there is none, the file for gone; FILE"
                                + " as a check names it. What only it had is lost. Nothing is checked.")
        private String file = "";

        @Option(
                names = "--repo",
                required = true,
                paramLabel = "DIR",
                description = "Folder of the repository, whose audit log gets a line.")
        private Path repo = Path.of("");
    }

    @Mixin
    private KeeperTlsOptions tls = new KeeperTlsOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        if (loss != null) {
            return giveUp(loss);
        }
        DispersalConfig config = DispersalConfig.read(keepers, tls.remotes());
        try (Scrub scrub = Scrub.open(config, repair)) {
            ScrubReport report = scrub.run(new KeeperProgress("checked", System.err::println));
            print(config, report);
            return report.isSound() ? 0 : 1;
        }
    }

    private int giveUp(Loss given) throws IOException {
        if (repair) {
            throw new ParameterException(
                    spec.commandLine(), "--repair and --give-up are two things: type one after the other");
        }
        Versions.Doubt doubt = GivenUpFile.giveUp(given.repo, keepers, tls.remotes(), given.file, Clock.systemUTC());
        System.out.println("gave up " + doubt.version() + ": "
                + doubt.before()
                        .map(before -> "what the file was before, " + before + ", counts again, and what was written"
                                + " since is lost")
                        .orElse("the file is gone, and what it had is lost")
                + next(given.file));
        return 0;
    }

    /** What an agent wants done before it starts without the file. */
    private static String next(String file) {
        if (file.startsWith("containers/")) {
            return ": type 'backup-agent rebuild-index' once no file is in doubt any more";
        } else if (file.startsWith("snapshots/")) {
            return ": type 'backup-agent accept-catalogue' once no file is in doubt any more";
        }
        return "";
    }

    private static void print(DispersalConfig config, ScrubReport report) {
        report.findings().forEach(System.out::println);
        report.unreadable().forEach(line -> System.err.println("backup-agent: " + line));
        for (int i = 0; i < report.keepers(); i++) {
            System.out.println("keeper " + i + " (" + config.keepers().get(i) + "): " + state(report, i));
        }
        System.out.println("checked " + report.files() + " files, " + report.bytes() + " bytes at all keepers");
    }

    private static String state(ScrubReport report, int keeper) {
        String away = report.away().get(keeper);
        long damaged = report.damaged(keeper);
        long owed = report.owed(keeper);
        String filling = report.filling().get(keeper);
        if (away == null && filling == null && damaged == 0 && owed == 0) {
            return "sound";
        }
        String found =
                damaged + " damaged, " + owed + " owed, " + (damaged + owed - report.left(keeper)) + " of them mended";
        if (filling != null) {
            found = "new, and doesn't count before it is filled: " + filling + "; " + found;
        }
        return away == null ? found : "not checked: " + away + "; " + found;
    }
}
