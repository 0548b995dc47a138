// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import javax.tools.ToolProvider;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorldLoaderTest {

    @TempDir
    Path folder;

    @Test
    void aPackageSaysWhatItsJarSays() throws Exception {
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {jar().toUri().toURL()}, getClass().getClassLoader())) {
            Configuration conf = new Configuration(false);
            conf.setClassLoader(loader);

            Class<?> anew = new WorldLoader(new JobCode(conf), WorldLoader.NOBODY).loadClass("plug.Versioned");
            Class<?> plain = loader.loadClass("plug.Versioned");

            assertThat(anew).isNotEqualTo(plain);
            assertThat(anew.getPackage().getImplementationVersion()).isEqualTo("1.2.3");
            assertThat(anew.getPackage().getImplementationTitle())
                    .isEqualTo(plain.getPackage().getImplementationTitle())
                    .isEqualTo("the plug");
            assertThat(anew.getPackage().getSpecificationVendor()).isNull();
        }
    }

    private Path jar() throws IOException {
        Path source = Files.createDirectories(folder.resolve("plug")).resolve("Versioned.java");
        Files.writeString(source, "package plug; public class Versioned {}");
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, source.toString()))
                .isZero();
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, "1.2.3");
        manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_TITLE, "all");
        Attributes ofPackage = new Attributes();
        ofPackage.put(Attributes.Name.IMPLEMENTATION_TITLE, "the plug");
        manifest.getEntries().put("plug/", ofPackage);
        Path jar = folder.resolve("plug.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
            out.putNextEntry(new JarEntry("plug/Versioned.class"));
            out.write(Files.readAllBytes(folder.resolve("plug/Versioned.class")));
        }
        return jar;
    }
}
