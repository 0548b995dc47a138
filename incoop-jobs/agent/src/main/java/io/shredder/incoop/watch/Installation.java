// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.watch;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Puts the hooks in. The system's loader has loaded {@link Agent}; this comes from the bootstrap loader. */
public final class Installation {

    private static volatile @Nullable Instrumentation installed;

    private Installation() {}

    /** The classes that code of a loader was linked to, or that it has loaded; empty without the hooks. */
    public static List<Class<?>> linkedIn(ClassLoader loader) {
        Instrumentation here = installed;
        return here == null ? List.of() : List.of(here.getInitiatedClasses(loader));
    }

    /**
     * Makes a field accessible, also one of the JDK's collections. Code of jobs finds these as closed as ever.
     *
     * @throws RuntimeException if it can't be, as when the hooks are not in place
     */
    public static void open(Field field) {
        field.setAccessible(true);
    }

    private static void openCollections(Instrumentation instrumentation) {
        Set<Module> toThis = Set.of(Installation.class.getModule());
        Map<String, Set<Module>> opened = Map.of(
                "java.lang", toThis,
                "java.util", toThis,
                "java.util.concurrent", toThis,
                "java.util.concurrent.atomic", toThis);
        instrumentation.redefineModule(Object.class.getModule(), Set.of(), Map.of(), opened, Set.of(), Map.of());
    }

    /** Changes the classes of {@link Hooks}: those that are loaded at once, the others when they are. */
    public static void install(Instrumentation instrumentation) throws IOException, UnmodifiableClassException {
        JvmWatch.warmUp();
        HookTransformer transformer = new HookTransformer();
        loadAll(transformer);
        instrumentation.addTransformer(transformer, true);
        for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
            if (Hooks.classes().contains(loaded.getName().replace('.', '/'))) {
                instrumentation.retransformClasses(loaded);
            }
        }
        openCollections(instrumentation);
        installed = instrumentation;
        System.setProperty(JvmWatch.ACTIVE_PROPERTY, "1");
    }

    /** Loads the transformer with all that it uses: it can't change its own classes while they are loaded. */
    private static void loadAll(HookTransformer transformer) throws IOException {
        for (String name : new String[] {"java/io/RandomAccessFile", "java/lang/reflect/AccessibleObject"}) {
            try (InputStream in = ClassLoader.getSystemResourceAsStream(name + ".class")) {
                if (in == null) {
                    throw new IOException("the JDK gives no bytes of its class " + name);
                }
                transformer.transform(null, name, null, null, in.readAllBytes());
            }
        }
    }
}
