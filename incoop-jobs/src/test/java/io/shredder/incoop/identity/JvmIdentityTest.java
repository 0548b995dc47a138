// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In this JVM: what changes its identity, and what doesn't. */
class JvmIdentityTest {

    private static final String PROPERTY = "acme.case";

    private final ClassLoader loader = Thread.currentThread().getContextClassLoader();
    private final TimeZone zone = TimeZone.getDefault();
    private final Locale locale = Locale.getDefault();

    @TempDir
    Path folder;

    @AfterEach
    void asBefore() {
        Thread.currentThread().setContextClassLoader(loader);
        TimeZone.setDefault(zone);
        Locale.setDefault(locale);
        System.clearProperty(PROPERTY);
        System.clearProperty("acme.password");
        System.clearProperty("hadoop.log.dir");
    }

    @Test
    void theSameJvmHasTheSameIdentity() throws Exception {
        assertThat(jvm().digest()).isEqualTo(jvm().digest());
        assertThat(jvm().parts()).isEqualTo(jvm().parts());
    }

    @Test
    void timeZoneLocaleAndCharsetCount() throws Exception {
        TimeZone.setDefault(TimeZone.getTimeZone("America/Lima"));
        Locale.setDefault(Locale.Category.FORMAT, Locale.GERMANY);
        Locale.setDefault(Locale.Category.DISPLAY, Locale.ITALY);
        JvmIdentity here = jvm();
        TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));
        JvmIdentity otherZone = jvm();
        Locale.setDefault(Locale.Category.FORMAT, Locale.FRANCE);
        JvmIdentity otherFormat = jvm();

        assertThat(here.parts())
                .containsEntry("time-zone", "America/Lima")
                .containsEntry("locale.format", "de-DE")
                .containsEntry("locale.display", "it-IT")
                .containsKeys(
                        "charset",
                        "time-zone.rules",
                        "property.java.version",
                        "property.java.vm.name",
                        "property.os.arch");
        assertThat(otherZone.digest()).isNotEqualTo(here.digest());
        assertThat(otherFormat.digest()).isNotEqualTo(otherZone.digest());
    }

    @Test
    void aSystemPropertyThatNobodyKnowsCounts() throws Exception {
        JvmIdentity before = jvm();
        System.setProperty(PROPERTY, "lower");

        assertThat(jvm().parts()).containsEntry("property." + PROPERTY, "lower");
        assertThat(jvm().digest()).isNotEqualTo(before.digest());
    }

    @Test
    void placesAndLogsDoNotCount() throws Exception {
        JvmIdentity before = jvm();
        System.setProperty("hadoop.log.dir", "/elsewhere");

        assertThat(jvm().digest()).isEqualTo(before.digest());
        assertThat(jvm().parts()).doesNotContainKeys("property.user.dir", "property.java.io.tmpdir");
    }

    @Test
    void theValueOfASecretPropertyIsNotShown() throws Exception {
        System.setProperty("acme.password", "sesame");
        JvmIdentity one = jvm();
        System.setProperty("acme.password", "barley");

        assertThat(one.parts().get("property.acme.password"))
                .startsWith("secret ")
                .doesNotContain("sesame");
        assertThat(jvm().digest()).isNotEqualTo(one.digest());
    }

    @Test
    void aJarOnTheClassPathCountsByNameContentAndOrderAndNotByItsPlace() throws Exception {
        Path one = jar("x/a.jar", "greeting", "hello");
        Path same = jar("y/a.jar", "greeting", "hello");
        Path other = jar("z/a.jar", "greeting", "howdy");
        Path second = jar("x/b.jar", "greeting", "servus");

        assertThat(with(one).digest())
                .isEqualTo(with(same).digest())
                .isNotEqualTo(with(other).digest());
        assertThat(with(one, second).digest()).isNotEqualTo(with(second, one).digest());
        assertThat(new TreeSet<>(with(one, second).parts().keySet()))
                .isEqualTo(new TreeSet<>(with(second, one).parts().keySet()));
        assertThat(with(one, second).parts().get("class-path")).startsWith("a.jar, b.jar, ");
        assertThat(with(one).digest()).isNotEqualTo(jvm().digest());
    }

    @Test
    void theJarsOfParentLoadersCountToo() throws Exception {
        Path parent = jar("parent.jar", "greeting", "hello");
        Path child = jar("child.jar", "greeting", "howdy");
        ClassLoader nested = new URLClassLoader(urls(child), new URLClassLoader(urls(parent), loader));
        Thread.currentThread().setContextClassLoader(nested);

        assertThat(jvm().parts().get("class-path")).startsWith("child.jar, parent.jar, ");
    }

    @Test
    void anUnpackedFolderCountsByWhatItHoldsAndNotByItsName() throws Exception {
        Path one = file("hadoop-unjar1/greeting", "hello").getParent();
        Path same = file("hadoop-unjar2/greeting", "hello").getParent();
        Path other = file("hadoop-unjar3/greeting", "howdy").getParent();
        Path moved = file("hadoop-unjar4/sub/greeting", "hello").getParent().getParent();

        assertThat(with(one).digest())
                .isEqualTo(with(same).digest())
                .isNotEqualTo(with(other).digest())
                .isNotEqualTo(with(moved).digest());
    }

    @Test
    void aPlaceThatIsNotThereChangesNothing() throws Exception {
        assertThat(with(folder.resolve("none")).digest()).isEqualTo(jvm().digest());
    }

    @Test
    void ofSiteFilesOnlyWhatCountsInAJobCounts() throws Exception {
        Path conf =
                file("conf/core-site.xml", site("fs.defaultFS", "hdfs://one")).getParent();
        JvmIdentity one = with(conf);
        file("conf/core-site.xml", site("fs.defaultFS", "hdfs://two"));
        JvmIdentity two = with(conf);
        file("conf/core-site.xml", site("acme.case", "lower"));

        assertThat(one.digest()).isEqualTo(two.digest()).isNotEqualTo(with(conf).digest());
    }

    @Test
    void aJarThatAManifestNamesCounts() throws Exception {
        Path named = jar("lib/named.jar", "greeting", "hello");
        Path naming = manifestJar("naming.jar", "lib/named.jar missing.jar", "code");
        JvmIdentity before = with(naming);
        Files.delete(named);
        jar("lib/named.jar", "greeting", "howdy");

        assertThat(before.parts().get("class-path")).startsWith("naming.jar, named.jar, ");
        assertThat(with(naming).digest()).isNotEqualTo(before.digest());
    }

    @Test
    void aJarThatOnlyShortensACommandLineCountsByWhatItNames() throws Exception {
        jar("lib/named.jar", "greeting", "hello");
        Path one = manifestJar("booter1.jar", "lib/named.jar", null);
        Path other = manifestJar("booter22.jar", "./lib/named.jar", null);

        assertThat(with(one).digest()).isEqualTo(with(other).digest());
        assertThat(with(one).parts().get("class-path")).startsWith("named.jar, ");
    }

    @Test
    void aWorkingFolderIsLeftOutAndWhatItHoldsByNameIsNot() throws Exception {
        Path container = file("container_1/launch.sh", "one").getParent();
        Path linked = jar("container_1/lib.jar", "greeting", "hello");
        JvmIdentity before = JvmIdentity.ofThisJvm(List.of(container));
        Thread.currentThread().setContextClassLoader(new URLClassLoader(urls(container, linked), loader));

        assertThat(JvmIdentity.ofThisJvm(List.of(container)).parts().get("class-path"))
                .isEqualTo("lib.jar, " + before.parts().get("class-path"));
    }

    private static JvmIdentity jvm() throws IOException {
        return JvmIdentity.ofThisJvm(List.of());
    }

    private JvmIdentity with(Path... places) throws IOException {
        Thread.currentThread().setContextClassLoader(new URLClassLoader(urls(places), loader));
        try {
            return jvm();
        } finally {
            Thread.currentThread().setContextClassLoader(loader);
        }
    }

    private static URL[] urls(Path... places) throws IOException {
        URL[] urls = new URL[places.length];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = places[i].toUri().toURL();
        }
        return urls;
    }

    private static String site(String key, String value) {
        return "<configuration><property><name>" + key + "</name><value>" + value
                + "</value></property></configuration>";
    }

    private Path file(String name, String content) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, content);
    }

    private Path jar(String name, String entry, String content) throws IOException {
        Path jar = file(name, "");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            put(out, entry, content);
        }
        return jar;
    }

    private Path manifestJar(String name, String classPath, String entry) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classPath);
        File jar = folder.resolve(name).toFile();
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar.toPath()), manifest)) {
            if (entry != null) {
                put(out, entry, "");
            }
        }
        return jar.toPath();
    }

    private static void put(JarOutputStream out, String name, String content) throws IOException {
        ZipEntry entry = new ZipEntry(name);
        entry.setTime(0);
        out.putNextEntry(entry);
        out.write(content.getBytes());
        out.closeEntry();
    }
}
