// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.incoop.IncoopKeys;
import io.shredder.incoop.memo.StoreUse;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code incoop stats}. */
@Command(name = "stats", description = "Show what the memo store holds.", mixinStandardHelpOptions = true)
final class StatsCommand implements Callable<Integer> {

    @Mixin
    private ConfigurationOptions options = new ConfigurationOptions();

    @Option(names = "--json", description = "Print one line of JSON.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        Configuration conf = options.configuration();
        List<StoreUse> uses = StoreUse.of(conf, IncoopKeys.memoDir(conf));
        if (json) {
            System.out.println(new ObjectMapper().writeValueAsString(Map.of("identities", uses)));
            return 0;
        }
        for (StoreUse use : uses) {
            System.out.println(String.format(
                    Locale.ROOT,
                    "%s  %d files  %d bytes  newest %s",
                    use.identity().substring(0, 12),
                    use.memoFiles(),
                    use.bytes(),
                    use.newestMs() == 0 ? "-" : Instant.ofEpochMilli(use.newestMs())));
        }
        return 0;
    }
}
