// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.it.process.Child;
import io.shredder.it.process.Children;
import io.shredder.it.process.Command;
import io.shredder.it.process.Condition;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster program that is killed leaves nothing behind: the promise that Ctrl-C of the demo rests on. */
class HadoopClusterIT {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    @TempDir
    Path folder;

    @Test
    void noDaemonOutlivesTheProgramThatStartedItEvenIfThatIsKilled() throws Exception {
        Path work = folder.resolve("work");
        try (var children = new Children()) {
            Child program = children.start(clusterProgram(work));
            Condition.await("the cluster", LIMIT, List.of(program), () -> says(program, "HADOOP_CONF_DIR="));
            int port = nameNodePort(work);
            assertThat(daemons(work)).isEqualTo(4);

            program.kill();

            Condition.await("the daemons' end", LIMIT, List.of(), () -> daemons(work) == 0 && refused(port));
        }
    }

    @Test
    void aWorkFolderInUseIsRefused() throws IOException {
        Files.writeString(folder.resolve("something"), "here");
        assertThatThrownBy(() -> HadoopCluster.in(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(folder + " is not empty");
    }

    private Command clusterProgram(Path work) {
        return new Command(
                "cluster",
                Command.java(
                        List.of("-Xmx256m"),
                        System.getProperty("java.class.path"),
                        ClusterMain.class.getName(),
                        List.of("--hdfs-only", work.toString())),
                Map.of(),
                folder,
                folder.resolve("cluster.log"));
    }

    private static boolean says(Child program, String words) throws IOException {
        return Files.readString(program.log()).contains(words);
    }

    private static int nameNodePort(Path work) {
        var conf = new Configuration(false);
        conf.addResource(new org.apache.hadoop.fs.Path(
                work.resolve("conf/client/core-site.xml").toUri()));
        return URI.create(conf.get("fs.defaultFS")).getPort();
    }

    /**
     * NameNode and DataNodes: the processes with a daemon's configuration folder on their class path. A process that
     * ends has lost its command line a moment before its sockets are closed.
     */
    private static long daemons(Path work) {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info().commandLine().orElse("").contains(work + "/conf/"))
                .count();
    }

    /** Whether connections to a port of the loopback address are refused; other errors are thrown. */
    private static boolean refused(int port) throws IOException {
        try {
            new Socket(InetAddress.getLoopbackAddress(), port).close();
            return false;
        } catch (ConnectException e) {
            return true;
        }
    }
}
