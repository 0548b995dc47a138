// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.cli;

import io.shredder.backup.agent.dispersal.DispersalConfig;
import io.shredder.backup.agent.dispersal.scrub.Scrub;
import io.shredder.backup.agent.dispersal.scrub.ScrubReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

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

    @Override
    public Integer call() throws IOException {
        DispersalConfig config = DispersalConfig.read(keepers);
        try (Scrub scrub = Scrub.open(config, repair)) {
            ScrubReport report = scrub.run(new KeeperProgress("checked", System.err::println));
            print(config, report);
            return report.isSound() ? 0 : 1;
        }
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
