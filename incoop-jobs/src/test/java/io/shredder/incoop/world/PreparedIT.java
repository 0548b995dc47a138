// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.world;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.incoop.format.PositionWatch;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.tools.ToolProvider;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects set up once for many chunks, and statics that keep a loader from serving again. In a JVM with the agent. */
class PreparedIT {

    private static final String IMPORTS =
            "import java.util.*; import java.util.function.*; import java.util.concurrent.*;";

    @TempDir
    Path folder;

    /** A job of one class, {@code Acme}, whose objects say what they are. */
    private Configuration job(String members) throws Exception {
        Path classes = Files.createDirectory(folder.resolve("classes"));
        Path source = Files.writeString(
                classes.resolve("Acme.java"),
                IMPORTS + "public class Acme implements Supplier<String> {" + members + "}");
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, source.toString()))
                .isZero();
        Configuration conf = new Configuration(false);
        conf.setClassLoader(new URLClassLoader(
                new URL[] {classes.toUri().toURL()}, getClass().getClassLoader()));
        return conf;
    }

    private static Sightings sightings(Configuration conf) {
        return new Sightings(conf, new PositionWatch(), LocalFiles.of(conf), false);
    }

    private static Object made(ClassLoader world) throws ReflectiveOperationException {
        return Class.forName("Acme", true, world).getConstructor().newInstance();
    }

    private static String used(Object acme) {
        return (String) ((java.util.function.Supplier<?>) acme).get();
    }

    /** What one object says each time that it is used, another one's copies do, too, whatever became of that. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "int n; public String get() { return \"\" + n++; }",
                "StringBuilder s = new StringBuilder(); public String get() { return s.append('x').toString(); }",
                "List<String> l = new LinkedList<>(); public String get() { l.add(\"x\"); return l.toString(); }",
                "Map<String, Integer> m = new HashMap<>(); public String get() { m.merge(\"a\", 1, Integer::sum); return \"\" + m; }",
                "Map<String, int[]> m = new TreeMap<>(Comparator.reverseOrder()); { m.put(\"a\", new int[1]); m.put(\"b\", null); }"
                        + " public String get() { return m.keySet() + \" \" + m.get(\"a\")[0]++; }",
                "enum Color { RED } Map<Color, Integer> m = new HashMap<>(); { m.put(Color.RED, 0); }"
                        + " public String get() { return \"\" + m.merge(Color.RED, 1, Integer::sum); }",
                "List<String> l = new ArrayList<>(List.of(\"a\", \"b\", \"c\", \"d\", \"e\")); Iterator<String> i; { l.add(\"f\"); i = l.iterator(); }"
                        + " public String get() { return i.next(); }",
                "Acme me = this; int[][] t = new int[2][2]; public String get() { return (me == this) + \" \" + me.t[1][1]++; }",
                "Function<String, String> f = s -> s + \"!\"; int n; public String get() { return f.apply(\"x\" + n++); }",
                "Map<String, Integer> big = new HashMap<>(); { for (int i = 0; i < 5000; i++) { big.put(\"k\" + i, i); } big.clear(); }"
                        + " public String get() { for (int i = 0; i < 40; i++) { big.put(\"w\" + i, i); } return \"\" + big.keySet(); }"
            })
    void aCopyIsAsOneThatWasJustMade(String members) throws Exception {
        Configuration conf = job(members);
        try (Worlds worlds = new Worlds(conf, () -> sightings(conf))) {
            Object first = made(worlds.next(sightings(conf)));
            Prepared prepared =
                    worlds.prepare(first, List.of(), sightings(conf), why -> {}).orElseThrow();
            List<String> said = List.of(used(first), used(first), used(first));

            for (int i = 0; i < 2; i++) {
                Object copy = prepared.copy(List.of(), sightings(conf));
                assertThat(List.of(used(copy), used(copy), used(copy))).isEqualTo(said);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "int n; Runnable r = () -> n++;",
                "static final Object NONE = new Object(); Object none = NONE;",
                "static final List<String> NAMES = new ArrayList<>(); List<String> names = NAMES;",
                "static class Key {} Map<Object, String> m = new HashMap<>(Map.of(new Key(), \"\"));",
                "static class Key {} Set<Object> s = Set.of(new Key(), new Key(), new Key());",
                "Map<Object, String> m = new HashMap<>(Map.of(List.of(new Object()), \"\"));",
                // A hash table of somebody's own.
                "static class Key {} static class Table { Object[] keys = new Object[8]; void put(Object key) {"
                        + " keys[key.hashCode() & 7] = key; } } Table table = new Table(); { table.put(new Key()); }",
                "static class Key {} Key[][] keys = {{new Key()}};",
                "Random random = new Random();",
                "Thread thread = new Thread();",
                "ThreadLocal<String> local = new ThreadLocal<>();",
                "CountDownLatch latch = new CountDownLatch(1);",
                "record Pair(int[] a) {} Pair pair = new Pair(new int[1]);",
                "byte[] big = new byte[100 << 20];"
            })
    void whatCanNotBeCopiedForSureIsNot(String members) throws Exception {
        Configuration conf = job(members + " public String get() { return \"\"; }");
        try (Worlds worlds = new Worlds(conf, () -> sightings(conf))) {
            Object first = made(worlds.next(sightings(conf)));

            assertThat(worlds.prepare(first, List.of(), sightings(conf), why -> {}))
                    .isEmpty();
        }
    }

    @Test
    void whatBelongsToAChunkIsThatOfTheCopysChunk() throws Exception {
        Configuration conf = job("public Object chunk; public String get() { return String.valueOf(chunk); }");
        try (Worlds worlds = new Worlds(conf, () -> sightings(conf))) {
            Object first = made(worlds.next(sightings(conf)));
            List<String> ofFirst = new ArrayList<>(List.of("first"));
            first.getClass().getField("chunk").set(first, ofFirst);

            Prepared prepared = worlds.prepare(first, List.of(ofFirst), sightings(conf), why -> {})
                    .orElseThrow();

            List<String> ofSecond = new ArrayList<>(List.of("second"));
            Object copy = prepared.copy(List.of(ofSecond), sightings(conf));
            assertThat(copy.getClass().getField("chunk").get(copy)).isSameAs(ofSecond);
        }
    }

    @Test
    void whoHasAskedForItsPlaceIsNotCopied() throws Exception {
        Configuration conf = job("public String get() { return \"\"; }");
        try (Worlds worlds = new Worlds(conf, () -> sightings(conf))) {
            Object first = made(worlds.next(sightings(conf)));
            Sightings asked = sightings(conf);
            asked.position().asked("it asks");

            assertThat(worlds.prepare(first, List.of(), asked, why -> {})).isEqualTo(Optional.empty());
        }
    }

    private void assertServesAgain(String members, boolean again) throws Exception {
        Configuration conf = job(members);
        try (Worlds worlds = new Worlds(conf, () -> sightings(conf))) {
            ClassLoader loader = worlds.next(sightings(conf));
            used(made(loader));

            assertThat(worlds.next(sightings(conf)).equals(loader)).isEqualTo(again);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "static int n = 5; public String get() { return \"\" + n; }",
                "enum Color { RED, BLUE { int i = 5; } } static Color c = Color.BLUE; public String get() { return c.name(); }",
                "static final Map<String, Integer> M = new HashMap<>(); static { M.put(\"a\", 1); }"
                        + " public String get() { return \"\" + M.keySet() + M.entrySet(); }",
                "static final Function<String, String> F = s -> s; public String get() { return F.apply(\"\"); }"
            })
    void staticsThatAreAsTheyWereServeAgain(String members) throws Exception {
        assertServesAgain(members, true);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "static int n; public String get() { return \"\" + n++; }",
                "enum Color { RED; int seen; } public String get() { return \"\" + Color.RED.seen++; }",
                // The order in which the table is listed hangs on how many places it has.
                "static final Map<String, Integer> M = new HashMap<>();"
                        + " public String get() { for (int i = 0; i < 500; i++) { M.put(\"k\" + i, i); } M.clear(); return \"\"; }",
                "static Function<String, String> f = s -> s; public String get() { f = s -> s + \"!\"; return \"\"; }",
                "static class Holder { Function<String, String> f = s -> s; } static final Holder H = new Holder();"
                        + " public String get() { H.f = s -> s + \"!\"; return \"\"; }",
                "static final ThreadLocal<String> T = new ThreadLocal<>(); public String get() { T.set(\"x\"); return \"\"; }"
            })
    void staticsThatWereChangedDoNot(String members) throws Exception {
        assertServesAgain(members, false);
    }
}
