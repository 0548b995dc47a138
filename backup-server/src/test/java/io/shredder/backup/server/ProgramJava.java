// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How integration tests start the product's programs: as {@code bin} does, with the quick start that this build made
 * ({@code bin/shredder-quick-start}), which halves what a start costs. Where none was made they start without.
 */
final class ProgramJava {

    private static final String QUICK_START = System.getProperty("shredder.quick-start", "");
    private static final List<String> OPTIONS = QUICK_START.isEmpty() ? List.of() : lines("options");
    private static final String CLASS_PATH = classPath();

    private ProgramJava() {}

    /** The words of a command, up to the class. */
    static List<String> words(List<String> options, String mainClass) {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(OPTIONS);
        words.addAll(options);
        words.addAll(List.of("-cp", CLASS_PATH, mainClass));
        return words;
    }

    /** The jars that the quick start was made of, in their order, come first: classes parsed ahead are of those. */
    private static String classPath() {
        String ours = System.getProperty("java.class.path");
        return QUICK_START.isEmpty() ? ours : lines("class-path").get(0) + File.pathSeparator + ours;
    }

    private static List<String> lines(String file) {
        try {
            return Files.readAllLines(Path.of(QUICK_START, file));
        } catch (IOException e) {
            throw new IllegalStateException("the build made no quick start in " + QUICK_START, e);
        }
    }
}
