// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.care;

import io.shredder.backup.console.Chromium;
import io.shredder.it.figures.Bar;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** How soon Chromium shows the console, and how long its answers are. */
final class ConsoleMeasures {
    private static final double MOST_PAINT_S = 1;
    private static final double MOST_ANSWER_KB = 200;
    private static final int ROUNDS = 5;
    private static final int WIDTH = 1280;
    private static final int HEIGHT = 800;

    /** The first paint, and when the page that was asked for was shown, which is what somebody waits for. */
    private static final String PAINTS = "return [performance.getEntriesByName('first-contentful-paint')[0].startTime,"
            + " performance.getEntriesByName('shown')[0].startTime]";

    private ConsoleMeasures() {}

    static void measure(DaemonOfYears daemon, Consumer<Bar> bars) throws IOException, InterruptedException {
        bars.accept(Bar.reported(
                "daemon with " + DaemonOfYears.IMAGES + " images, " + DaemonOfYears.DAYS + " days each",
                daemon.openMs() + " ms until it answers, " + (daemon.residentBytes() >> 20) + " MiB resident"));
        answers(daemon, bars);
        if (!Chromium.isThere()) {
            bars.accept(Bar.notRun("console in Chromium", "needs chromium: tools/packages.sh care"));
            return;
        }
        List<String> complaints = new ArrayList<>();
        paint("list of images", "#/images", daemon, complaints, bars);
        paint("one image's years", "#/image/machine-0500", daemon, complaints, bars);
        bars.accept(Bar.holds(
                "Chromium complains of nothing",
                complaints.isEmpty(),
                complaints.isEmpty() ? "nothing" : complaints.toString(),
                "no line in its console"));
    }

    private static void paint(
            String what, String page, DaemonOfYears daemon, List<String> complaints, Consumer<Bar> bars)
            throws InterruptedException {
        double slowestPaint = 0;
        double slowestShown = 0;
        for (int round = 0; round < ROUNDS; round++) {
            try (Chromium chromium = new Chromium(false, WIDTH, HEIGHT)) {
                chromium.open(daemon.address() + page);
                List<?> times = (List<?>) chromium.script(PAINTS);
                slowestPaint = Math.max(slowestPaint, ((Number) times.get(0)).doubleValue() / 1e3);
                slowestShown = Math.max(slowestShown, ((Number) times.get(1)).doubleValue() / 1e3);
                complaints.addAll(chromium.complaints());
            }
        }
        String beside = "the slowest of " + ROUNDS + " new browsers";
        bars.accept(Bar.atMost(what + ": first paint", slowestPaint, MOST_PAINT_S, "s", beside));
        bars.accept(Bar.atMost(what + ": shown", slowestShown, MOST_PAINT_S, "s", beside));
    }

    private static void answers(DaemonOfYears daemon, Consumer<Bar> bars) throws IOException, InterruptedException {
        String longest = "";
        int most = 0;
        for (String path : List.of(
                "/images?limit=500",
                "/images?limit=500&sort=age",
                "/images/machine-0001",
                "/images/machine-0500",
                "/runs?limit=500",
                "/runs?limit=500&image=machine-0500",
                "/runs?limit=500&result=failed",
                "/events?limit=500",
                "/jobs?limit=500",
                "/care?limit=500",
                "/about",
                "/openapi.json")) {
            int length = daemon.ask(path).getBytes(StandardCharsets.UTF_8).length;
            if (length > most) {
                most = length;
                longest = path;
            }
        }
        bars.accept(Bar.atMost("the longest answer, " + longest, most / 1e3, MOST_ANSWER_KB, "kB"));
    }
}
