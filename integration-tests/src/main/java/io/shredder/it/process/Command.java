// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What to start and where its words go.
 *
 * @param name short name for messages, such as {@code namenode}
 * @param words the program and its arguments
 * @param environment variables set besides those inherited
 * @param folder the working directory
 * @param log the file that standard output and standard error are appended to
 */
public record Command(String name, List<String> words, Map<String, String> environment, Path folder, Path log) {
    public Command {
        words = List.copyOf(words);
        environment = Map.copyOf(environment);
    }

    /** The same command with further environment variables. */
    public Command with(Map<String, String> moreEnvironment) {
        var merged = new HashMap<>(environment);
        merged.putAll(moreEnvironment);
        return new Command(name, words, merged, folder, log);
    }

    /** The running JVM's {@code java} with the given options, class and arguments. */
    public static List<String> java(List<String> options, String classPath, String mainClass, List<String> arguments) {
        var words = new ArrayList<String>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(options);
        words.addAll(List.of("-cp", classPath, mainClass));
        words.addAll(arguments);
        return words;
    }
}
