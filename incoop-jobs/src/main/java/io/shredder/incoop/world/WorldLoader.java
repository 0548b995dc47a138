// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.world;

import io.shredder.incoop.watch.JobClassLoader;
import io.shredder.incoop.watch.Observer;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Loads a job's classes anew, so that their statics are its own; all others as ever. Safe for several threads. */
class WorldLoader extends ClassLoader implements JobClassLoader {

    static {
        registerAsParallelCapable();
    }

    static final Observer NOBODY = (sight, through, what, by) -> {};

    private final JobCode code;
    private final List<Class<?>> defined = new CopyOnWriteArrayList<>();
    private volatile Observer observer;

    WorldLoader(JobCode code, Observer observer) {
        super(code.loader());
        this.code = code;
        this.observer = observer;
    }

    @Override
    public Observer observer() {
        return observer;
    }

    void observe(Observer next) {
        observer = next;
    }

    JobCode code() {
        return code;
    }

    /** The job's classes that were needed so far. */
    public List<Class<?>> defined() {
        return defined;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            if (known != null) {
                return known;
            }
            URL own = name.startsWith("java.") ? null : code.find(name);
            return own == null ? super.loadClass(name, resolve) : define(name, own);
        }
    }

    private Class<?> define(String name, URL url) throws ClassNotFoundException {
        byte[] bytes;
        try {
            URLConnection connection = url.openConnection();
            try (InputStream in = connection.getInputStream()) {
                bytes = in.readAllBytes();
            }
        } catch (IOException e) {
            throw new ClassNotFoundException(name + " can't be read from " + url, e);
        }
        definePackage(name);
        Class<?> type = defineClass(name, bytes, 0, bytes.length, domain(name, url));
        defined.add(type);
        return type;
    }

    private void definePackage(String className) {
        int end = className.lastIndexOf('.');
        if (end > 0 && getDefinedPackage(className.substring(0, end)) == null) {
            try {
                definePackage(className.substring(0, end), null, null, null, null, null, null, null);
            } catch (IllegalArgumentException e) {
                // Another thread has done so meanwhile.
                return;
            }
        }
    }

    private @Nullable ProtectionDomain domain(String name, URL url) throws ClassNotFoundException {
        try {
            String location = JobCode.location(url, name.replace('.', '/') + ".class");
            URL root = new File(location).toURI().toURL();
            return new ProtectionDomain(new CodeSource(root, (Certificate[]) null), null, this, null);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }
}
