// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.scale;

import io.shredder.it.process.Command;
import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Another program of this one's class path. */
public final class OwnProgram {
    private OwnProgram() {}

    /**
     * What starts it, in whatever folder.
     *
     * @param program its class
     * @param options of Java
     */
    public static List<String> words(Class<?> program, List<String> options, List<String> arguments) {
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
        return Command.java(options, classPath, program.getName(), arguments);
    }
}
