// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.jobs;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A job's command line: {@code --name value} in any order, and two paths. */
final class Arguments {
    /**
     * An option.
     *
     * @param name without the dashes
     * @param value what stands for its value in the usage
     * @param meaning one line with unit and default
     */
    record Option(String name, String value, String meaning) {}

    private final Map<String, String> values;
    private final List<String> paths;

    private Arguments(Map<String, String> values, List<String> paths) {
        this.values = values;
        this.paths = paths;
    }

    /**
     * Reads a command line.
     *
     * @throws IllegalArgumentException if an option is unknown, lacks its value or is given twice, or there are not two
     *     paths
     */
    static Arguments parse(List<String> words, List<Option> options) {
        Map<String, String> values = new HashMap<>();
        List<String> paths = new ArrayList<>();
        Iterator<String> rest = words.iterator();
        while (rest.hasNext()) {
            String word = rest.next();
            if (!word.startsWith("--")) {
                paths.add(word);
                continue;
            }
            String name = word.substring(2);
            if (options.stream().noneMatch(option -> option.name().equals(name))) {
                throw new IllegalArgumentException("no option " + word);
            }
            if (!rest.hasNext()) {
                throw new IllegalArgumentException(word + " needs a value");
            }
            if (values.put(name, rest.next()) != null) {
                throw new IllegalArgumentException(word + " is given twice");
            }
        }
        if (paths.size() != 2) {
            throw new IllegalArgumentException("needs INPUT and OUTPUT, got " + paths);
        }
        return new Arguments(values, paths);
    }

    String input() {
        return paths.get(0);
    }

    String output() {
        return paths.get(1);
    }

    Optional<String> text(String name) {
        return Optional.ofNullable(values.get(name));
    }

    /** An option's value that must be given. */
    String required(String name) {
        return text(name).orElseThrow(() -> new IllegalArgumentException("--" + name + " must be given"));
    }

    /** A whole number within limits. */
    int number(String name, int byDefault, int least, int most) {
        String value = values.getOrDefault(name, Integer.toString(byDefault));
        try {
            int number = Integer.parseInt(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(outside(name, value, least, most), e);
        }
        throw new IllegalArgumentException(outside(name, value, least, most));
    }

    private static String outside(String name, String value, int least, int most) {
        return "--" + name + " is '" + value + "': give a whole number from " + least + " to " + most;
    }
}
