// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.Pace;
import io.shredder.backup.config.ByteSize;
import io.shredder.backup.protocol.SnapshotName;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.server.source.ImageCuts;
import io.shredder.backup.server.source.ImageFormat;
import io.shredder.backup.server.source.ImageSource;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.engine.Backend;
import io.shredder.engine.Shredder;
import io.shredder.engine.ShredderOptions;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code shredder-backup backup}. */
@Command(
        name = "backup",
        description = "Back up an image: send what the agent doesn't have, point to the rest, commit.",
        mixinStandardHelpOptions = true)
final class BackupCommand implements Callable<Integer> {

    @Parameters(
            paramLabel = "IMAGE",
            description = "The image, which nobody writes meanwhile: a file, a block device, nbd://HOST:PORT/EXPORT"
                    + " or nbd+unix:///EXPORT?socket=PATH.")
    private String image = "";

    @Option(
            names = "--format",
            defaultValue = "auto",
            paramLabel = "NAME",
            description = "Of a file: raw, qcow2, or auto, which takes it as raw but refuses one that begins like qcow2"
                    + " (default: ${DEFAULT-VALUE}).")
    private ImageFormat format = ImageFormat.AUTO;

    @Mixin
    private AgentOptions agent = new AgentOptions();

    @Mixin
    private KeyOptions keys = new KeyOptions();

    @Option(names = "--name", required = true, paramLabel = "NAME", description = "Name of the series of snapshots.")
    private SnapshotName name = new SnapshotName("x");

    @Option(
            names = "--avg",
            defaultValue = "64k",
            paramLabel = "SIZE",
            description = "Average length of chunks, a power of two (default: ${DEFAULT-VALUE}).")
    private ByteSize average = new ByteSize(64 << 10);

    @Option(names = "--min", paramLabel = "SIZE", description = "Shortest chunk (default: a quarter of --avg).")
    private @Nullable ByteSize min;

    @Option(names = "--max", paramLabel = "SIZE", description = "Longest chunk (default: four times --avg).")
    private @Nullable ByteSize max;

    @Option(
            names = "--digest",
            paramLabel = "NAME",
            description =
                    "How chunks are told apart: sha256 or blake3 (default: as the series' or else this client's last snapshot;"
                            + " blake3 for the first). Equal chunks of the other digest are sent again.")
    private @Nullable DigestAlgorithm digest;

    @Option(
            names = "--backend",
            defaultValue = "auto",
            paramLabel = "NAME",
            description =
                    "What chunks and digests: auto, cpu, scalar, avx2, avx512 or cuda (default: ${DEFAULT-VALUE}).")
    private Backend backend = Backend.AUTO;

    @Mixin
    private CacheOptions cache = new CacheOptions();

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() throws IOException {
        ImageCuts cuts = cuts();
        RepositoryKey key = keys.unlock();
        try (ImageSource source = format.address(image).open();
                Shredder engine = Shredder.open(ShredderOptions.of(backend));
                AgentClient client = agent.connect()) {
            BackupSession session = new BackupSession(client, engine, key, cache.caches());
            BackupReport report = ProgressLine.during(
                    "read",
                    source.imageBytes(),
                    session::readBytes,
                    () -> session.run(source, name, cuts, Pace.unlimited()));
            json.print(report::json, report::toString);
        }
        return 0;
    }

    private ImageCuts cuts() {
        ChunkingParams.Builder builder = ChunkingParams.builder().averageBytes(average.bytes());
        if (min != null) {
            builder.minBytes(min.bytes());
        }
        if (max != null) {
            builder.maxBytes(max.bytes());
        }
        return new ImageCuts(builder.build(), Optional.ofNullable(digest));
    }
}
