// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.identity;

import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;

/**
 * The digest of a folder on the class path: its files, by name and content. Of Hadoop's site files only those keys
 * count that count in a job's configuration, so that another address of a service is no other code.
 */
final class FolderDigest {

    private static final Set<String> SITE_FILES = new TreeSet<>(Set.of(
            "core-site.xml",
            "hdfs-site.xml",
            "hdfs-rbf-site.xml",
            "yarn-site.xml",
            "mapred-site.xml",
            "incoop-site.xml"));

    private FolderDigest() {}

    static Fingerprint of(Path folder) throws IOException {
        StringBuilder text =
                new StringBuilder(CodeDigests.of(folder, SITE_FILES).toString());
        for (String name : SITE_FILES) {
            Path file = folder.resolve(name);
            if (Files.isReadable(file)) {
                text.append('\n').append(name);
                addSite(file, text);
            }
        }
        return IdentityParts.digest(text.toString());
    }

    private static void addSite(Path file, StringBuilder text) throws IOException {
        Configuration site = new Configuration(false);
        site.addResource(file.toUri().toURL());
        IdentityParts keys = new IdentityParts();
        try {
            for (Map.Entry<String, String> property : site) {
                String key = property.getKey();
                if (ConfigurationFilter.counts(key)
                        && !ConfigurationFilter.counted(key, property.getValue())
                                .isEmpty()) {
                    keys.put(key, ConfigurationFilter.counted(key, property.getValue()));
                }
            }
        } catch (RuntimeException e) {
            throw new IOException("can't read the configuration in " + file + ": " + e.getMessage(), e);
        }
        text.append('\n').append(keys.document());
    }
}
