// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.house;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The walks of {@code docs/ARCHITECTURE.md}: numbered steps, each of which names the one file to open. */
public final class Walks {
    private static final Path PAGE = Path.of("docs", "ARCHITECTURE.md");
    private static final Pattern WALK = Pattern.compile("^### \\d+\\. ");
    private static final Pattern STEP = Pattern.compile("^\\d+\\. ");
    private static final Pattern NAMED = Pattern.compile("\\[([\\w/.-]+\\.[a-z]+)]");
    private static final Pattern TARGET = Pattern.compile("^\\[([^]]+)]: (\\S+)$");

    private final List<String> steps = new ArrayList<>();
    private final Map<String, Path> targets = new HashMap<>();
    private int walks;

    private Walks() {}

    /** Reads those of a checkout. */
    public static Walks read(Path root) throws IOException {
        var walks = new Walks();
        Path page = root.resolve(PAGE);
        boolean within = false;
        for (String line : Files.readAllLines(page, StandardCharsets.UTF_8)) {
            Matcher target = TARGET.matcher(line);
            if (target.find()) {
                walks.targets.put(
                        target.group(1), page.resolveSibling(target.group(2)).normalize());
            } else if (line.startsWith("#")) {
                within = WALK.matcher(line).find();
                walks.walks += within ? 1 : 0;
            } else if (within) {
                walks.add(line);
            }
        }
        return walks;
    }

    private void add(String line) {
        if (STEP.matcher(line).find()) {
            steps.add(line);
        } else if (!line.isBlank() && !steps.isEmpty()) {
            steps.set(steps.size() - 1, steps.get(steps.size() - 1) + " " + line.strip());
        }
    }

    /** How many walks there are. */
    public int walks() {
        return walks;
    }

    /** How many steps they have together. */
    public int steps() {
        return steps.size();
    }

    /** Steps that don't name one file which is there. */
    public List<String> wrong() {
        return steps.stream().filter(step -> !namesOneFile(step)).toList();
    }

    private boolean namesOneFile(String step) {
        List<String> named =
                NAMED.matcher(step).results().map(found -> found.group(1)).toList();
        return named.size() == 1 && targets.containsKey(named.get(0)) && Files.isRegularFile(targets.get(named.get(0)));
    }
}
