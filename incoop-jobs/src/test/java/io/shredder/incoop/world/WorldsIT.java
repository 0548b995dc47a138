// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.world;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.incoop.format.PositionWatch;
import io.shredder.incoop.memo.Dependency;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.ToolProvider;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Loaders of one chunk after the other, in a JVM with the agent. */
class WorldsIT {

    @TempDir
    Path folder;

    private Path table;
    private Configuration conf;

    @BeforeEach
    void compileAJob() throws Exception {
        table = Files.writeString(folder.resolve("table"), "one");
        Path classes = Files.createDirectory(folder.resolve("classes"));
        compile(classes, "Loading", "java.nio.file.Files.readString(java.nio.file.Path.of(\"" + table + "\"))");
        compile(
                classes,
                "Starting",
                "new String(new ProcessBuilder(\"cat\", \"" + table + "\").start().getInputStream().readAllBytes())");
        conf = new Configuration(false);
        conf.setClassLoader(new URLClassLoader(
                new URL[] {classes.toUri().toURL()}, getClass().getClassLoader()));
    }

    /** A class that has a text as soon as it is loaded. */
    private static void compile(Path folder, String name, String text) throws IOException {
        Path source = Files.writeString(
                folder.resolve(name + ".java"),
                "public class " + name + " { public static final String TEXT; static { try { TEXT = " + text
                        + "; } catch (java.io.IOException e) { throw new java.io.UncheckedIOException(e); } } }");
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, source.toString()))
                .isZero();
    }

    private Sightings sightings() {
        return new Sightings(conf, new PositionWatch(), LocalFiles.of(conf), false);
    }

    @Test
    void whatAClassReadsAsItIsLoadedIsADependencyOfEveryChunkThatItServes() throws Exception {
        try (Worlds worlds = new Worlds(conf, this::sightings)) {
            Sightings first = sightings();
            ClassLoader loader = worlds.next(first);
            Class.forName("Loading", true, loader);

            Sightings second = sightings();
            ClassLoader next = worlds.next(second);

            assertThat(next).isSameAs(loader);
            assertThat(second.dependencies().orElseThrow())
                    .isEqualTo(first.dependencies().orElseThrow())
                    .extracting(Dependency::name)
                    .contains(table.toString());
        }
    }

    @Test
    void aClassWhoseStaticsWouldBeOthersNowIsLoadedAnew() throws Exception {
        try (Worlds worlds = new Worlds(conf, this::sightings)) {
            Class.forName("Loading", true, worlds.next(sightings()));
            Files.writeString(table, "two");

            ClassLoader next = worlds.next(sightings());

            assertThat(Class.forName("Loading", true, next).getField("TEXT").get(null))
                    .isEqualTo("two");
        }
    }

    @Test
    void whatAProgramReadsThatAClassStartsAsItIsLoadedIsADependencyOfEveryChunkAndNoReportStays() throws Exception {
        conf.setBoolean("incoop.programs.ignore.task", true);
        try (Worlds worlds = new Worlds(conf, this::sightings)) {
            Sightings first = sightings();
            ClassLoader loader = worlds.next(first);
            Class.forName("Starting", true, loader);

            Sightings second = sightings();
            ClassLoader next = worlds.next(second);

            assertThat(next).isSameAs(loader);
            assertThat(second.dependencies().orElseThrow())
                    .isEqualTo(first.dependencies().orElseThrow())
                    .extracting(Dependency::name)
                    .anyMatch(name -> name.endsWith(table.toString()));
        }
        assertThat(reports()).isEmpty();
    }

    @Test
    void noReportStaysOfAProgramThatAClassStartsWhichIsLoadedAnew() throws Exception {
        conf.setBoolean("incoop.programs.ignore.task", true);
        try (Worlds worlds = new Worlds(conf, this::sightings)) {
            Sightings first = sightings();
            Class.forName("Starting", true, worlds.next(first));
            first.dependencies();
            Files.writeString(table, "two");
            Sightings second = sightings();
            Class.forName("Starting", true, worlds.next(second));
            second.dependencies();
        }
        assertThat(reports()).isEmpty();
    }

    /** Of programs that have read the table. */
    private List<Path> reports() throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> all =
                Files.newDirectoryStream(Path.of(System.getProperty("java.io.tmpdir")), "incoop-child*.report")) {
            for (Path report : all) {
                if (text(report).contains(table.toString())) {
                    found.add(report);
                }
            }
        }
        return found;
    }

    /** Empty if it is another test's, and gone meanwhile. */
    private static String text(Path report) throws IOException {
        try {
            return Files.readString(report, StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            return "";
        }
    }
}
