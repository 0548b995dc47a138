// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.identity;

import java.io.File;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The places of a class path in their order. Those that stand there since all jars of a folder were wanted
 * ({@code FOLDER/*}) are given by name: Java takes them in the order of the file system, which is another one on each
 * machine.
 */
final class ClassPathOrder {

    private ClassPathOrder() {}

    /**
     * The places of a class path.
     *
     * @param expanded what Java has made of it, without {@code *}
     * @param asGiven what Java was given, if that is known
     */
    static List<Path> of(String expanded, String asGiven) {
        List<String> folders = split(asGiven).stream()
                .filter(entry -> entry.equals("*") || entry.endsWith(File.separator + "*"))
                .map(entry -> folder(entry.substring(0, entry.length() - 1) + "any"))
                .toList();
        Map<String, List<String>> ofAll = split(expanded).stream()
                .filter(entry -> isJar(entry) && folders.contains(folder(entry)))
                .collect(Collectors.groupingBy(
                        ClassPathOrder::folder, HashMap::new, Collectors.toCollection(ArrayList::new)));
        ofAll.values().forEach(jars -> jars.sort(Comparator.reverseOrder()));
        List<Path> places = new ArrayList<>();
        for (String entry : split(expanded)) {
            List<String> sorted = isJar(entry) ? ofAll.get(folder(entry)) : null;
            addPlace(places, sorted == null ? entry : sorted.remove(sorted.size() - 1));
        }
        return places;
    }

    private static boolean isJar(String entry) {
        return entry.toLowerCase(Locale.ROOT).endsWith(".jar");
    }

    private static String folder(String entry) {
        return String.valueOf(new File(entry).getAbsoluteFile().getParent());
    }

    private static void addPlace(List<Path> places, String entry) {
        try {
            places.add(Path.of(entry));
        } catch (InvalidPathException e) {
            // Java finds nothing there, either.
            return;
        }
    }

    private static List<String> split(String classPath) {
        return Arrays.asList(classPath.split(File.pathSeparator));
    }
}
