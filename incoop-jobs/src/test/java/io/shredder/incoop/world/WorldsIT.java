// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.world;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.incoop.format.PositionWatch;
import io.shredder.incoop.memo.Dependency;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
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
        Path source = Files.writeString(
                classes.resolve("Loading.java"),
                "public class Loading { public static final String TEXT; static { try { TEXT = java.nio.file.Files.readString("
                        + "java.nio.file.Path.of(\"" + table + "\")); } catch (java.io.IOException e) { throw new"
                        + " java.io.UncheckedIOException(e); } } }");
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, source.toString()))
                .isZero();
        conf = new Configuration(false);
        conf.setClassLoader(new URLClassLoader(
                new URL[] {classes.toUri().toURL()}, getClass().getClassLoader()));
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
}
