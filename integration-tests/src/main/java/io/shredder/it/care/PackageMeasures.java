// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.care;

import io.shredder.it.figures.Bar;
import io.shredder.it.process.Child;
import io.shredder.it.process.Children;
import io.shredder.it.process.Command;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The packages for Debian, by {@code tools/deb-check.sh}, and its figures. */
final class PackageMeasures {
    private static final String NAME = "packages: lint, same bytes, upgrade, removal";
    private static final List<String> PROGRAMS = List.of("mmdebstrap", "lintian", "systemd-analyze", "unshare", "ip");
    private static final double MOST_EXPOSURE = 2.5;
    private static final double MOST_SECONDS = 300;
    private static final double MOST_COMMANDS = 8;

    private static final Pattern EXPOSURE =
            Pattern.compile("^deb-check: (\\S+): exposure ([0-9.]+)$", Pattern.MULTILINE);
    private static final Pattern RESTORE = Pattern.compile(
            "^deb-check: (\\S+): a verified restore of 1 GB after (\\d+) commands and (\\d+) s$", Pattern.MULTILINE);

    private PackageMeasures() {}

    static void measure(Children children, Path root, Path work, Consumer<Bar> bars)
            throws IOException, InterruptedException {
        Optional<String> missing = missing(root);
        if (missing.isPresent()) {
            bars.accept(Bar.notRun(NAME, missing.get()));
            return;
        }
        Path log = work.resolve("deb-check.log");
        Files.deleteIfExists(log);
        Child check = children.start(new Command("deb-check", List.of("tools/deb-check.sh"), Map.of(), root, log));
        boolean succeeded = check.waitFor() == 0;
        String said = new String(Files.readAllBytes(log), StandardCharsets.UTF_8);
        for (MatchResult unit : EXPOSURE.matcher(said).results().toList()) {
            double exposure = Double.parseDouble(unit.group(2));
            bars.accept(Bar.atMost("exposure of " + unit.group(1), exposure, MOST_EXPOSURE, ""));
        }
        for (MatchResult suite : RESTORE.matcher(said).results().toList()) {
            String name = suite.group(1) + ": from nothing to a verified restore";
            bars.accept(Bar.atMost(name, Double.parseDouble(suite.group(2)), MOST_COMMANDS, " commands"));
            bars.accept(Bar.atMost(name, Double.parseDouble(suite.group(3)), MOST_SECONDS, " s", "1 GB"));
        }
        String last = said.lines().reduce((earlier, later) -> later).orElse("it says nothing");
        bars.accept(Bar.holds(NAME, succeeded, last, "everything works"));
    }

    /** What keeps them from being measured here. */
    private static Optional<String> missing(Path root) {
        if (!System.getProperty("user.name").equals("root")) {
            return Optional.of("only root can make clean roots");
        }
        for (String program : PROGRAMS) {
            if (!isInPath(program)) {
                return Optional.of("there is no " + program + ": run tools/packages.sh deb");
            }
        }
        return Files.exists(root.resolve("target/deb/SHA256SUMS")) // It is made last.
                ? Optional.empty()
                : Optional.of("there are no packages: run ./run dist and tools/deb.sh");
    }

    private static boolean isInPath(String program) {
        String path = System.getenv().getOrDefault("PATH", "") + File.pathSeparator + "/usr/sbin";
        return Arrays.stream(path.split(File.pathSeparator, -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }
}
