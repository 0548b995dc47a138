// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Option;

/** The options of every command that say which cluster and which memo store: those of Hadoop's own programs. */
final class ConfigurationOptions {

    @Option(
            names = "-D",
            paramLabel = "NAME=VALUE",
            description = "Set a configuration value, such as incoop.memo.dir=/memo; may be given more than once."
                    + " The rest comes from HADOOP_CONF_DIR and incoop-site.xml.")
    private Map<String, String> properties = new LinkedHashMap<>();

    /** The configuration that the class path and the options give. */
    Configuration configuration() {
        Configuration conf = new Configuration();
        properties.forEach(conf::set);
        return conf;
    }
}
