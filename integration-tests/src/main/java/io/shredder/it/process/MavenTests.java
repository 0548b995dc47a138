// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * What became of tests that Maven ran.
 *
 * @param tests their classes, a comma between each two
 * @param passed how many did
 * @param whole whether all did, and some were there
 * @param log what Maven said
 */
public record MavenTests(String tests, int passed, boolean whole, Path log) {

    private static final Pattern SUMMARY =
            Pattern.compile("Tests run: (\\d+), Failures: (\\d+), Errors: (\\d+), Skipped: (\\d+)$", Pattern.MULTILINE);

    /** What a class is. */
    public enum Kind {
        UNIT("package -Dtest=\"$2\""),
        INTEGRATION("verify -Dtest=none -Dit.test=\"$2\" -Dfailsafe.failIfNoSpecifiedTests=false");

        private final String words;

        Kind(String words) {
            this.words = words;
        }
    }

    /**
     * Runs them.
     *
     * @param root the checkout
     * @param tests their classes, a comma between each two
     * @param log what Maven says goes there, in the place of what is
     */
    public static MavenTests run(Children children, Path root, String module, Kind kind, String tests, Path log)
            throws IOException, InterruptedException {
        Files.deleteIfExists(log);
        String line = ". tools/environment.sh && use_jdk17 && maven -pl \"$1\" -am " + kind.words
                + " -Dsurefire.failIfNoSpecifiedTests=false";
        List<String> words = List.of("bash", "-c", line, "bash", module, tests);
        Child maven = children.start(new Command(tests, words, Map.of(), root, log));
        boolean succeeded = maven.waitFor() == 0;
        int passed = 0;
        for (MatchResult summary : SUMMARY.matcher(new String(Files.readAllBytes(log), StandardCharsets.UTF_8))
                .results()
                .toList()) {
            passed += Integer.parseInt(summary.group(1)) - Integer.parseInt(summary.group(2));
            passed -= Integer.parseInt(summary.group(3)) + Integer.parseInt(summary.group(4));
        }
        return new MavenTests(tests, passed, succeeded && passed > 0, log);
    }

    /** In words, for people. */
    public String figure() {
        return passed + " tests of " + tests + (whole ? "" : ", see " + log.getFileName());
    }
}
