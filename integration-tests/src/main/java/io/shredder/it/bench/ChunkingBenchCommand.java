// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** {@code ./run bench chunking}: the whole way through JNI, by JMH, whose options it takes. */
@Command(
        name = "chunking",
        mixinStandardHelpOptions = true,
        customSynopsis = "run bench chunking [OPTION of JMH..]",
        description = {
            "Chunks 1 GiB a call from Java, through JNI, by JMH; the counter gigabytes is the rate in 10^9 bytes a second.",
            "Options are JMH's, above all those that choose values of ChunkingBenchmark's parameters:",
            "-p backend=auto -p input=RESIDENT,FILE,CHANNEL -p digest=NONE,SHA_256,BLAKE3 -p average=8192,65536"
        })
final class ChunkingBenchCommand implements Callable<Integer> {
    @Unmatched
    private List<String> options = new ArrayList<>();

    @Override
    public Integer call() throws IOException {
        var words = new ArrayList<>(List.of(ChunkingBenchmark.class.getSimpleName()));
        words.addAll(options);
        org.openjdk.jmh.Main.main(words.toArray(String[]::new));
        return 0;
    }
}
