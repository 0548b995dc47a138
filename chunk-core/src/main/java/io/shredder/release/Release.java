// SPDX-License-Identifier: Apache-2.0
package io.shredder.release;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The release's version and the commit that it was built from, as the build left them in this jar. */
public final class Release {

    private static final String RESOURCE = "release.properties";

    private Release() {}

    /** Prints the line of a program that is named. */
    public static void main(String[] args) {
        System.out.println(line(args[0]));
    }

    /**
     * What a program answers to {@code --version}: its name, the version, and the commit in parentheses. A commit has
     * twelve digits, and a plus sign if it was built with changes; it is {@code unknown} to a build outside Git.
     */
    public static String line(String program) {
        Properties release = new Properties();
        try (InputStream in = Release.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException("there is no " + RESOURCE + " beside this class");
            }
            release.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return program + " " + release.getProperty("version") + " (" + release.getProperty("commit") + ")";
    }
}
