// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.house;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The product's Java packages as their files are written: how many types each has, and which others it names. A type
 * counts if it has a file of its own in a module's {@code src/main/java}.
 */
public final class SourceTree {
    private static final Path MAIN = Path.of("src", "main", "java");
    private static final Pattern PACKAGE = Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE);
    private static final Pattern NAMED = Pattern.compile("\\b(io\\.shredder(?:\\.[a-z]\\w*)*)\\.[A-Z]\\w*");
    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|//[^\\n]*", Pattern.DOTALL);

    private final Map<String, Integer> types = new TreeMap<>();
    private final Map<String, Set<String>> uses = new TreeMap<>();

    private SourceTree() {}

    /** Reads all modules of a checkout. */
    public static SourceTree read(Path root) throws IOException {
        var tree = new SourceTree();
        for (Path file : files(
                root,
                path -> path.toString().contains("/" + MAIN + "/")
                        && path.toString().endsWith(".java"))) {
            tree.add(Files.readString(file, StandardCharsets.UTF_8), file);
        }
        return tree;
    }

    /** The files of a checkout, without what is built and what is hidden. */
    static List<Path> files(Path root, Predicate<Path> wanted) throws IOException {
        var found = new ArrayList<Path>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                String name =
                        folder.getFileName() == null ? "" : folder.getFileName().toString();
                boolean skipped = !folder.equals(root) && (name.startsWith(".") || name.equals("target"));
                return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (wanted.test(file)) {
                    found.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return found;
    }

    private void add(String text, Path file) throws IOException {
        Matcher declared = PACKAGE.matcher(text);
        if (!declared.find()) {
            throw new IOException(file + " names no package");
        }
        String home = declared.group(1);
        String name = String.valueOf(file.getFileName());
        types.merge(home, name.equals("package-info.java") ? 0 : 1, Integer::sum);
        Set<String> used = uses.computeIfAbsent(home, unused -> new TreeSet<>());
        Matcher named = NAMED.matcher(COMMENT.matcher(text).replaceAll(""));
        while (named.find()) {
            if (!named.group(1).equals(home)) {
                used.add(named.group(1));
            }
        }
    }

    /** How many types each package has. */
    public Map<String, Integer> types() {
        return types;
    }

    /** Packages that a way along what each one names leads back to. */
    public Set<String> inCycles() {
        var cyclic = new TreeSet<String>();
        for (String home : uses.keySet()) {
            if (reached(home).contains(home)) {
                cyclic.add(home);
            }
        }
        return cyclic;
    }

    private Set<String> reached(String from) {
        var reached = new TreeSet<String>();
        var next = new ArrayList<>(uses.getOrDefault(from, Set.of()));
        while (!next.isEmpty()) {
            String one = next.remove(next.size() - 1);
            if (reached.add(one)) {
                next.addAll(uses.getOrDefault(one, Set.of()));
            }
        }
        return reached;
    }
}
