// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.incoop.config.DefaultFiles;
import java.net.URL;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class HadoopKeysTest {

    @Test
    void whateverHadoopItselfReadsInItsDefaultFilesIsNamed() {
        Configuration defaults = new Configuration(false);
        defaults.setAllowNullValueProperties(true);
        for (String file : DefaultFiles.NAMES) {
            URL url = Configuration.class.getClassLoader().getResource(file);
            if (url != null) {
                defaults.addResource(url);
            }
        }

        assertThat(defaults.size()).isGreaterThan(1500);
        for (Map.Entry<String, String> property : defaults) {
            assertThat(HadoopKeys.isNamed(property.getKey()))
                    .as(property.getKey())
                    .isTrue();
        }
    }

    @Test
    void aKeyThatIsLikeOneOfHadoopsIsNotNamed() {
        assertThat(HadoopKeys.isNamed("dfs.replication")).isTrue();
        assertThat(HadoopKeys.isNamed("dfs.replications")).isFalse();
        assertThat(HadoopKeys.isNamed("dfs.")).isFalse();
        assertThat(HadoopKeys.isNamed("")).isFalse();
    }
}
