// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.it.process.Children;
import io.shredder.it.programs.NativePrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PeersTest {
    @Test
    void peersThatCouldNotBeBuiltSayWhyAndGiveNoRows(@TempDir Path folder) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("rust.missing"), "no cargo\n");
        Path input = Files.write(folder.resolve("input"), new byte[100]);
        try (var children = new Children()) {
            var peers = new Peers(folder, new NativePrograms(folder, folder, children));
            assertThat(peers.missing())
                    .containsExactly("peers in rust: no cargo", "peers in go: no " + folder.resolve("go"));
            assertThat(peers.run(input, 100, new Peers.Sizes(8192, 2048, 32768), 1))
                    .isEmpty();
        }
    }
}
