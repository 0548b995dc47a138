// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/**
 * Finds and loads {@code libshredder.so}, once: the file that the system property {@value #PATH_PROPERTY} names, else
 * the resource in the platform's classifier jar. A failure is kept as a value, so that callers get the same clear error
 * each time.
 */
public final class NativeLibrary {

    static final String PATH_PROPERTY = "shredder.library.path";
    static final String RESOURCE = "/io/shredder/engine/native/linux-x86_64/libshredder.so";

    private NativeLibrary() {}

    /** The load, done when first asked for. */
    private static final class Load {
        static final @Nullable String FAILURE = tryLoad();
    }

    /** Why the library can't be used; null if it is loaded. */
    public static @Nullable String failure() {
        return Load.FAILURE;
    }

    /**
     * Returns only if the library is loaded.
     *
     * @throws BackendUnavailableException if it can't be used
     */
    public static void require() throws BackendUnavailableException {
        String failure = failure();
        if (failure != null) {
            throw new BackendUnavailableException(failure);
        }
    }

    private static @Nullable String tryLoad() {
        try {
            String path = System.getProperty(PATH_PROPERTY);
            if (path != null) {
                System.load(Path.of(path).toAbsolutePath().toString());
            } else {
                loadResource();
            }
            return abiProblem(ShredderJni.abiVersion());
        } catch (IOException | UnsatisfiedLinkError e) {
            return "the native library can't be loaded: " + firstLine(String.valueOf(e.getMessage()));
        }
    }

    /** Null if a library of this ABI version serves these classes. */
    static @Nullable String abiProblem(int abiVersion) {
        if (abiVersion == ShredderJni.ABI_VERSION) {
            return null;
        }
        return "the native library has ABI version " + abiVersion + ", these classes need " + ShredderJni.ABI_VERSION
                + ": use the jar and the library of one build";
    }

    private static void loadResource() throws IOException {
        requirePlatform();
        Path directory = Files.createTempDirectory("shredder-");
        Path library = directory.resolve("libshredder.so");
        try (InputStream resource = NativeLibrary.class.getResourceAsStream(RESOURCE)) {
            if (resource == null) {
                throw new IOException("there is no " + RESOURCE
                        + " on the class path: add shredder-native-VERSION-linux-x86_64.jar, or set -D"
                        + PATH_PROPERTY);
            }
            Files.copy(resource, library, StandardCopyOption.REPLACE_EXISTING);
            System.load(library.toString());
        } finally {
            // The mapping stays; nothing is left behind, however this process ends.
            Files.deleteIfExists(library);
            Files.delete(directory);
        }
    }

    private static void requirePlatform() throws IOException {
        String system = System.getProperty("os.name");
        String machine = System.getProperty("os.arch");
        if (!"Linux".equals(system) || !"amd64".equals(machine)) {
            throw new IOException("it is built for Linux x86-64, this is " + system + " " + machine);
        }
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse(text);
    }
}
