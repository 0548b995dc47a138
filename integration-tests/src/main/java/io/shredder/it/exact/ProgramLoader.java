// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.exact;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The class loader of one run of a program: its jars and, where it has one, a site file that hides the cluster's. */
final class ProgramLoader extends URLClassLoader {
    private static final String SITE = "mapred-site.xml";

    private final Optional<Path> site;

    /**
     * A loader over this process's own.
     *
     * @param site what {@code mapred-site.xml} is; empty for the cluster's
     */
    ProgramLoader(List<Path> jars, Optional<Path> site) throws IOException {
        super("program", urls(jars), ProgramLoader.class.getClassLoader());
        this.site = site;
    }

    @Override
    public @Nullable URL getResource(String name) {
        try {
            return name.equals(SITE) && site.isPresent() ? site.get().toUri().toURL() : super.getResource(name);
        } catch (MalformedURLException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static URL[] urls(List<Path> jars) throws IOException {
        URL[] urls = new URL[jars.size()];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = jars.get(i).toUri().toURL();
        }
        return urls;
    }
}
