// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfscoder;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.hdfscoder.OwnJvm.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** JVMs of their own, in which something of the engine is missing or refuses: Hadoop takes its next coder. */
class FallThroughTest {

    private static final List<String> BOTH = List.of(
            "-Dio.erasurecode.codec.rs.rawcoders=rs_shredder,rs_java",
            "-Dio.erasurecode.codec.rs-legacy.rawcoders=rs-legacy_shredder,rs-legacy_java",
            "-Dio.erasurecode.codec.xor.rawcoders=xor_shredder,xor_java");
    private static final String ALL_IN_JAVA = "rs: RSRawEncoder\nrs-legacy: RSLegacyRawEncoder\nxor: XORRawEncoder\n";

    @TempDir
    private Path folder;

    @Test
    void ourCodersRunWhereAllIsThere() throws Exception {
        Ended ended = whichCoder(entry -> true, List.of(), Map.of(), BOTH);
        assertThat(ended.out())
                .as(ended.err())
                .matches(
                        """
                rs: rs_shredder \\(\\S+\\)
                rs-legacy: rs-legacy_shredder \\(\\S+\\)
                xor: xor_shredder \\(\\S+\\)
                """);
        assertThat(ended.exitCode()).isZero();
        assertThat(ended.linesAboutTheCoder()).isEmpty();
    }

    /** That switch is about libhadoop: it goes by "native" in a coder's name. */
    @Test
    void ourCodersRunWhereHadoopsNativeOnesAreSwitchedOff() throws Exception {
        List<String> options = new ArrayList<>(BOTH);
        options.add("-Dio.erasurecode.codec.native.enabled=false");
        assertThat(whichCoder(entry -> true, List.of(), Map.of(), options).out())
                .contains("rs: rs_shredder (", "xor: xor_shredder (");
    }

    @Test
    void withoutThePropertyNothingChanges() throws Exception {
        Ended ended = whichCoder(entry -> true, List.of(), Map.of(), List.of());
        assertThat(ended.out()).as(ended.err()).isEqualTo(ALL_IN_JAVA);
        assertThat(ended.exitCode()).isZero();
        assertThat(ended.linesAboutTheCoder()).isEmpty();
    }

    @Test
    void withoutTheNativeLibraryHadoopsCodersRun() throws Exception {
        fellThrough(
                whichCoder(entry -> !entry.endsWith("-linux-x86_64.jar"), List.of(), Map.of(), BOTH),
                "there is no /io/shredder/engine/native/linux-x86_64/libshredder.so");
    }

    @Test
    void withoutTheEnginesJarsHadoopsCodersRun() throws Exception {
        fellThrough(
                whichCoder(entry -> !entry.contains("shredder-native"), List.of(), Map.of(), BOTH),
                "NoClassDefFoundError: io/shredder/engine/");
    }

    @Test
    void aLibraryThatIsNoneIsLeftAlone() throws Exception {
        Path none = Files.writeString(folder.resolve("libshredder.so"), "no library");
        fellThrough(
                whichCoder(entry -> true, List.of("-Dshredder.library.path=" + none), Map.of(), BOTH),
                "the native library can't be loaded");
    }

    @Test
    void aBackendThatDoesNotExistIsLeftAlone() throws Exception {
        fellThrough(whichCoder(entry -> true, List.of(), Map.of("SHREDDER_CODER_BACKEND", "abacus"), BOTH), "abacus");
    }

    @Test
    void aWordTooManyIsRefused() throws Exception {
        Ended ended = whichCoder(entry -> true, List.of(), Map.of(), List.of("rs"));
        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.err()).contains("takes no arguments but -D KEY=VALUE, not rs");
    }

    private Ended whichCoder(
            Predicate<String> classPathEntries,
            List<String> jvm,
            Map<String, String> environment,
            List<String> arguments)
            throws IOException, InterruptedException {
        String classPath = OwnJvm.classPath(entry -> !entry.contains("test-classes") && classPathEntries.test(entry));
        return OwnJvm.run(folder, classPath, jvm, environment, WhichCoder.class.getName(), arguments);
    }

    /** Hadoop's own coders run, and one line says why. */
    private static void fellThrough(Ended ended, String reason) {
        assertThat(ended.out()).as(ended.err()).isEqualTo(ALL_IN_JAVA);
        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.linesAboutTheCoder()).hasSize(1).first().asString().contains(reason);
    }
}
