// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.world;

import io.shredder.incoop.watch.JobClassLoader;
import io.shredder.incoop.watch.Observer;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
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
                definePackage(name, connection);
            }
        } catch (IOException e) {
            throw new ClassNotFoundException(name + " can't be read from " + url, e);
        }
        Class<?> type = defineClass(name, bytes, 0, bytes.length, domain(name, url));
        defined.add(type);
        return type;
    }

    /** With what its jar says of it, its version, say, which a class may ask for. */
    private void definePackage(String className, URLConnection from) throws IOException {
        int end = className.lastIndexOf('.');
        if (end <= 0 || getDefinedPackage(className.substring(0, end)) != null) {
            return;
        }
        String name = className.substring(0, end);
        Attributes said = attributes(name, from);
        try {
            definePackage(
                    name,
                    said.getValue(Attributes.Name.SPECIFICATION_TITLE),
                    said.getValue(Attributes.Name.SPECIFICATION_VERSION),
                    said.getValue(Attributes.Name.SPECIFICATION_VENDOR),
                    said.getValue(Attributes.Name.IMPLEMENTATION_TITLE),
                    said.getValue(Attributes.Name.IMPLEMENTATION_VERSION),
                    said.getValue(Attributes.Name.IMPLEMENTATION_VENDOR),
                    null);
        } catch (IllegalArgumentException e) {
            // Another thread has done so meanwhile.
            return;
        }
    }

    private static Attributes attributes(String name, URLConnection from) throws IOException {
        Manifest manifest = from instanceof JarURLConnection jar ? jar.getManifest() : null;
        Attributes said = new Attributes();
        if (manifest != null) {
            said.putAll(manifest.getMainAttributes());
            Attributes own = manifest.getAttributes(name.replace('.', '/') + "/");
            if (own != null) {
                said.putAll(own);
            }
        }
        return said;
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
