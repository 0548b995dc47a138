// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.demo;

import io.shredder.it.process.Child;
import io.shredder.it.process.Children;
import io.shredder.it.process.Command;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The project's own command line programs, run as an operator would. Not safe for use from several threads. */
public final class Programs {
    private final Path root;
    private final Path logs;
    private final Children children;
    private final Map<String, String> environment;
    private int runs;

    /**
     * @param root the checkout, where the programs lie in {@code bin}
     * @param logs where each run's output goes
     * @param environment what every program gets besides this JVM's environment
     */
    public Programs(Path root, Path logs, Children children, Map<String, String> environment) {
        this.root = root;
        this.logs = logs;
        this.children = children;
        this.environment = environment;
    }

    /** Runs {@code bin/NAME} with arguments to its end; fails with the end of its output if it does. */
    public Output run(String name, Object... arguments) throws IOException, InterruptedException {
        Child child = children.run(command(name, List.of(arguments)));
        return new Output(child.name(), Files.readString(child.log(), StandardCharsets.UTF_8));
    }

    /** Starts {@code bin/NAME} and leaves it running. */
    public Child start(String name, Object... arguments) throws IOException, InterruptedException {
        return children.start(command(name, List.of(arguments)));
    }

    private Command command(String name, List<Object> arguments) {
        var words = new ArrayList<String>();
        words.add(root.resolve("bin").resolve(name).toString());
        arguments.forEach(argument -> words.add(argument.toString()));
        runs++;
        Path log = logs.resolve(String.format("%02d-%s.log", runs, name));
        return new Command("bin/" + name, words, environment, root, log);
    }

    /** What a program printed, both streams together. */
    public record Output(String program, String text) {
        /** The groups of the only or last match of a pattern; fails if there is none. */
        public List<String> find(String regex) throws IOException {
            Matcher matcher = Pattern.compile(regex, Pattern.MULTILINE).matcher(text);
            List<String> groups = null;
            while (matcher.find()) {
                var found = new ArrayList<String>();
                for (int i = 1; i <= matcher.groupCount(); i++) {
                    found.add(matcher.group(i));
                }
                groups = found;
            }
            if (groups == null) {
                throw new IOException(program + " printed nothing of the form " + regex);
            }
            return groups;
        }

        /** The last match's first group as a whole number, thousands' commas allowed. */
        public long number(String regex) throws IOException {
            return Long.parseLong(find(regex).get(0).replace(",", ""));
        }
    }
}
