// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Another program, run to its end. */
final class TestProgram {

    private TestProgram() {}

    /** What it says, if it succeeds. */
    static String run(String... words) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(List.of(words)).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", words) + ": " + said);
        }
        return said;
    }

    /** Whether somebody listens there: a socket's file is there a moment earlier. */
    static boolean answers(Path socket) {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            return channel.isConnected();
        } catch (IOException e) {
            return false;
        }
    }
}
