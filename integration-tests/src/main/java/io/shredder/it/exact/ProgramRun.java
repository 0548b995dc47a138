// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.exact;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.jspecify.annotations.Nullable;

/**
 * Runs a program as {@code hadoop jar} does, but in this process: its jars in a class loader of their own, so that no
 * run finds statics of an earlier one, on a thread whose context class loader that is.
 */
final class ProgramRun {
    private final String program;
    private final List<Path> jars;
    private final Optional<Path> site;

    /**
     * A program that does not run yet.
     *
     * @param site what {@code mapred-site.xml} is; empty for the cluster's
     */
    ProgramRun(String program, List<Path> jars, Optional<Path> site) {
        this.program = program;
        this.jars = List.copyOf(jars);
        this.site = site;
    }

    /** Runs it to its end, or until a time has passed. Returns why it failed; empty if it ended with code 0. */
    Optional<String> run(List<String> words, Duration limit) throws IOException, InterruptedException {
        var failure = new AtomicReference<@Nullable String>("it did not end within " + limit.toMinutes() + " minutes");
        try (var loader = new ProgramLoader(jars, site)) {
            var thread = new Thread(() -> failure.set(failureOf(loader, words)), "program");
            thread.setContextClassLoader(loader);
            thread.setDaemon(true);
            thread.start();
            thread.join(limit.toMillis());
            HadoopCaches.forget(loader);
        }
        return Optional.ofNullable(failure.get());
    }

    private @Nullable String failureOf(ClassLoader loader, List<String> words) {
        try {
            var conf = new Configuration();
            conf.setClassLoader(loader);
            // Some programs keep their constructor to themselves.
            Constructor<? extends Tool> constructor =
                    Class.forName(program, true, loader).asSubclass(Tool.class).getDeclaredConstructor();
            constructor.setAccessible(true);
            Tool tool = constructor.newInstance();
            int code = ToolRunner.run(conf, tool, words.toArray(String[]::new));
            return code == 0 ? null : "exit code " + code;
        } catch (Exception | LinkageError | AssertionError e) {
            return String.valueOf(e);
        }
    }
}
