// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.care;

import io.shredder.it.figures.Bar;
import io.shredder.it.figures.Machine;
import io.shredder.it.process.Children;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * {@code ./run bars care}: the daemon's console with many images and years, and under a flood; a year of what it does
 * by itself; its alerts; and the packages that it comes in.
 */
public final class CareBars {
    private static final String CONSOLE = "console";
    private static final String FLOOD = "flood";
    private static final String SCAN = "scan";
    private static final String YEAR = "year";
    private static final String ALERTS = "alerts";
    private static final String PACKAGES = "packages";

    /** What {@code --only} takes. */
    public static final List<String> PARTS = List.of(CONSOLE, FLOOD, SCAN, YEAR, ALERTS, PACKAGES);

    private CareBars() {}

    /**
     * Measures in {@code target/bars/care}.
     *
     * @param root the checkout, built
     * @param has whether a part is asked for
     * @param bars told each bar as it comes
     */
    public static void measure(Path root, Children children, Predicate<String> has, Consumer<Bar> bars)
            throws IOException, InterruptedException {
        System.out.println(Machine.description());
        Path work = Files.createDirectories(root.resolve("target/bars/care"));
        if (has.test(YEAR)) {
            YearMeasures.measure(Files.createTempDirectory(work, "year-"), bars);
        }
        if (has.test(ALERTS)) {
            AlertMeasures.measure(children, root, work, bars);
        }
        if (has.test(PACKAGES)) {
            PackageMeasures.measure(children, root, work, bars);
        }
        if (!has.test(CONSOLE) && !has.test(FLOOD) && !has.test(SCAN)) {
            return;
        }
        Path folder = Files.createTempDirectory(work, "site-");
        try (DaemonOfYears daemon = DaemonOfYears.start(folder)) {
            if (has.test(CONSOLE)) {
                ConsoleMeasures.measure(daemon, bars);
            }
            if (has.test(FLOOD)) {
                ConsoleFlood.measure(daemon, bars);
            }
            if (has.test(SCAN)) {
                ConsoleScan.measure(children, root, work, daemon, bars);
            }
        }
    }
}
