// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.watch;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;

/**
 * The agent's entry. START HERE. With {@code -javaagent:incoop-agent.jar}, or attached to a running JVM, it puts this
 * jar in front of everything that the JVM loads, so that the JDK's own classes find {@link JvmWatch}, then has
 * {@link HookTransformer} put the hooks in. Until somebody watches, a hook is one test of a field.
 */
public final class Agent {

    private Agent() {}

    /** Called by the JVM before {@code main}. */
    public static void premain(@Nullable String arguments, Instrumentation instrumentation)
            throws IOException, URISyntaxException, UnmodifiableClassException {
        install(instrumentation);
    }

    /** Called by the JVM when the agent is attached to it. */
    public static void agentmain(@Nullable String arguments, Instrumentation instrumentation)
            throws IOException, URISyntaxException, UnmodifiableClassException {
        install(instrumentation);
    }

    private static synchronized void install(Instrumentation instrumentation)
            throws IOException, URISyntaxException, UnmodifiableClassException {
        if (System.getProperty(JvmWatch.ACTIVE_PROPERTY) != null) {
            return;
        }
        Path jar = Path.of(
                Agent.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        instrumentation.appendToBootstrapClassLoaderSearch(new JarFile(jar.toFile()));
        Installation.install(instrumentation);
    }
}
