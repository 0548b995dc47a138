// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli.option;

import io.shredder.backup.agent.LocalAgent;
import io.shredder.backup.client.AgentClient;
import io.shredder.backup.snapshot.SnapshotName;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Where a command that only reads finds snapshots: at an agent, or in a repository's folder. */
public final class SourceOptions {

    private static final String REPO = "--repo";

    @ArgGroup(exclusive = true, multiplicity = "1")
    private Place place = new Place();

    /** One of the two. */
    private static final class Place {

        @ArgGroup(exclusive = false, multiplicity = "1", heading = "From an agent:%n")
        private @Nullable AgentOptions agent;

        @ArgGroup(
                exclusive = false,
                multiplicity = "1",
                heading = "Or from the files of a repository on this machine, without its agent, which must not run:%n")
        private @Nullable Folder repository;
    }

    private static final class Folder {

        @Option(names = REPO, required = true, paramLabel = "DIR", description = "Folder of the repository.")
        private Path root = Path.of("");

        @Option(
                names = "--client",
                paramLabel = "NAME",
                description =
                        "Whose snapshots: the CN of a client's certificate, if the repository has those of several.")
        private @Nullable SnapshotName client;

        @Option(
                names = "--index-key",
                paramLabel = "FILE",
                description = "File with the key of the repository's index (default: DIR.index-key beside it).")
        private @Nullable Path indexKey;
    }

    /** Whether a command's words name a folder, as far as can be seen before they are read: then no agent is asked. */
    public static boolean nameAFolder(String... words) {
        return Arrays.stream(words).anyMatch(word -> word.equals(REPO) || word.startsWith(REPO + "="));
    }

    /** Connects to the agent, or opens the repository; whoever asks closes it. */
    public AgentClient connect() throws IOException {
        if (place.repository != null) {
            Folder folder = place.repository;
            return AgentClient.over(LocalAgent.open(folder.root, folder.indexKey, folder.client));
        }
        if (place.agent == null) {
            throw new IllegalStateException("neither an agent nor a repository");
        }
        return place.agent.connect();
    }
}
