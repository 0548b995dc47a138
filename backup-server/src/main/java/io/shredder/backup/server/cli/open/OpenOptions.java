// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli.open;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.config.ByteSize;
import io.shredder.backup.config.TimeSpan;
import io.shredder.backup.seal.Remarks;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.server.cli.option.CoresOption;
import io.shredder.backup.server.cli.option.KeyOptions;
import io.shredder.backup.server.cli.option.SourceOptions;
import io.shredder.backup.server.cli.option.StateOptions;
import io.shredder.backup.server.cli.option.TrustedChoice;
import io.shredder.backup.server.cli.option.Warnings;
import io.shredder.backup.server.reader.ReaderOptions;
import io.shredder.backup.server.reader.SnapshotReader;
import io.shredder.backup.server.snapshot.SnapshotChoice;
import io.shredder.backup.server.text.RemarksText;
import io.shredder.backup.server.text.SnapshotText;
import io.shredder.backup.server.trust.ProvedSnapshot;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of every command that opens a snapshot where it lies, and the way to it. */
public final class OpenOptions {

    @Mixin
    private SourceOptions source = new SourceOptions();

    @Mixin
    private KeyOptions keys = new KeyOptions();

    @Mixin
    private StateOptions state = new StateOptions();

    @Mixin
    private CoresOption cores = new CoresOption();

    @Option(
            names = "--cache",
            paramLabel = "SIZE",
            defaultValue = "128m",
            description = "Keep so much of what was read in memory; at least 16m (default: ${DEFAULT-VALUE}).")
    private ByteSize cache = new ByteSize(ReaderOptions.USUAL_CACHE_BYTES);

    @Option(
            names = "--read-ahead",
            paramLabel = "SIZE",
            defaultValue = "8m",
            description = "Fetch up to so much ahead of one who reads in order; off for nothing"
                    + " (default: ${DEFAULT-VALUE}).")
    private String readAhead = "8m";

    @Option(
            names = "--patience",
            paramLabel = "TIME",
            defaultValue = "2m",
            description = "Wait so long for an agent that is away, such as 30s or 10m; then reads fail until it is back"
                    + " (default: ${DEFAULT-VALUE}).")
    private String patience = "2m";

    @Option(
            names = "--accept-skipped",
            description = "Open a snapshot, too, in which zeros take the place of what could not be read when it was"
                    + " made; says which ranges.")
    private boolean acceptSkipped;

    /**
     * A snapshot that can be read.
     *
     * @param proved what its key and its series prove
     * @param reader of its bytes
     */
    public record Opened(ProvedSnapshot proved, SnapshotReader reader) implements Closeable {

        /** {@code NAME@ID}. */
        public String name() {
            return SnapshotText.name(proved.info());
        }

        @Override
        public void close() {
            reader.close();
        }
    }

    /**
     * Finds the snapshot among those that the key proves, and opens it; whoever asks closes it. Damage that reads find
     * is said on standard error.
     */
    public Opened open(SnapshotChoice choice) throws IOException {
        return open(new Place(source, keys, state), choice, options(), acceptSkipped);
    }

    /** Where a snapshot is, what opens it and what proves it. */
    public record Place(SourceOptions source, KeyOptions keys, StateOptions state) {}

    /** @param options made before, since somebody may be asked for a passphrase now */
    static Opened open(Place place, SnapshotChoice choice, ReaderOptions options, boolean acceptSkipped)
            throws IOException {
        RepositoryKey key = place.keys().unlock();
        AgentClient client = place.source().connect();
        try {
            ProvedSnapshot proved = new TrustedChoice(client, key, place.state().commits()).find(choice);
            Remarks remarks = proved.summary().remarks();
            if (!remarks.skipped().isEmpty() && !acceptSkipped) {
                throw new IOException(SnapshotText.name(proved.info()) + " has zeros in place of "
                        + remarks.skippedBytes() + " bytes that could not be read when it was made, the first "
                        + remarks.skipped().get(0) + ": open another snapshot, or this one with --accept-skipped");
            }
            Warnings.print(RemarksText.warnings(proved.info(), remarks));
            return new Opened(
                    proved,
                    new SnapshotReader(
                            client,
                            place.source()::connect,
                            key,
                            proved.info(),
                            options,
                            line -> Warnings.print(List.of(line))));
        } catch (IOException | RuntimeException e) {
            client.close();
            throw e;
        }
    }

    private ReaderOptions options() throws IOException {
        try {
            long ahead = readAhead.equals("off") ? 0 : ByteSize.parse(readAhead).bytes();
            return new ReaderOptions(cache.bytes(), ahead, TimeSpan.parse(patience), cores.outsideHeap());
        } catch (IllegalArgumentException e) {
            throw new IOException("wrong options: " + e.getMessage(), e);
        }
    }
}
