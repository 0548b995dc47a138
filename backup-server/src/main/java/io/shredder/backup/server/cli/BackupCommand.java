// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.config.ByteSize;
import io.shredder.backup.pace.Pace;
import io.shredder.backup.seal.Remarks;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.server.backup.BackupReport;
import io.shredder.backup.server.backup.BackupSession;
import io.shredder.backup.server.changes.ChangeTracker;
import io.shredder.backup.server.cli.option.ChangesOptions;
import io.shredder.backup.server.cli.option.JsonOption;
import io.shredder.backup.server.cli.option.SendOptions;
import io.shredder.backup.server.cli.option.Warnings;
import io.shredder.backup.server.source.CheckedImage;
import io.shredder.backup.server.source.ImageCuts;
import io.shredder.backup.server.source.ImageFormat;
import io.shredder.backup.server.source.ImageSource;
import io.shredder.backup.server.source.ImageStream;
import io.shredder.backup.server.source.OnReadError;
import io.shredder.backup.server.text.ProgressLine;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.engine.ShredderOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code shredder-backup backup}. */
@Command(
        name = "backup",
        description = "Back up an image: send what the agent doesn't have, point to the rest, commit.",
        mixinStandardHelpOptions = true)
final class BackupCommand implements Callable<Integer> {

    private static final String STANDARD_INPUT = "-";

    @Parameters(
            paramLabel = "IMAGE",
            description = {
                "The image, which nobody writes meanwhile: a file, a block device, nbd://HOST:PORT/EXPORT,",
                "nbd+unix:///EXPORT?socket=PATH, or '-' for standard input. Whether the program that writes standard",
                "input failed can't be seen: run such a pipe with 'set -o pipefail' and delete the snapshot if it"
                        + " fails,",
                "or better name the program with --stdin-command."
            })
    private String image = "";

    @Option(
            names = "--stdin-command",
            paramLabel = "CMD",
            description =
                    "With IMAGE '-': a command for the shell, whose standard output is the image. There is a snapshot"
                            + " only if it ends with exit code 0.")
    private @Nullable String command;

    @Option(
            names = "--on-read-error",
            defaultValue = "fail",
            paramLabel = "WHAT",
            description =
                    "If bytes of the image can't be read: fail, or skip, which backs up zeros in their place and names"
                            + " them; 'restore' then needs --accept-skipped (default: ${DEFAULT-VALUE}).")
    private OnReadError onReadError = OnReadError.FAIL;

    @Option(
            names = "--format",
            defaultValue = "auto",
            paramLabel = "NAME",
            description = "Of a file: raw, qcow2, or auto, which takes it as raw but refuses one that begins like qcow2"
                    + " (default: ${DEFAULT-VALUE}).")
    private ImageFormat format = ImageFormat.AUTO;

    @Mixin
    private SendOptions send = new SendOptions();

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
                    "How chunks are told apart: sha256 or blake3 (default: as the series' or else this client's last"
                            + " snapshot; blake3 for the first). Equal chunks of the other digest are sent again.")
    private @Nullable DigestAlgorithm digest;

    @Option(
            names = "--backend",
            defaultValue = "auto",
            paramLabel = "NAME",
            description =
                    "What chunks and digests: auto, cpu, scalar, avx2, avx512 or cuda, or several devices, such as"
                            + " cuda,cpu*4 (default: ${DEFAULT-VALUE}).")
    private ShredderOptions.Devices backend = ShredderOptions.Devices.AUTO;

    @Option(
            names = "--private-lists",
            description =
                    "Seal this snapshot's list for itself, so that it shares no page with other snapshots: the agent"
                            + " then can't tell which pages are equal, and keeps 38 bytes a chunk for each snapshot.")
    private boolean privateLists;

    @Mixin
    private ChangesOptions changes = new ChangesOptions();

    @Mixin
    private JsonOption json = new JsonOption();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        ImageCuts cuts = cuts();
        Remarks remarks = remarks();
        Optional<ChangeTracker> tracker = tracker();
        BackupReport report;
        try (EngineStart engine = new EngineStart(send.engine(backend))) {
            RepositoryKey key = send.unlock();
            report = image.equals(STANDARD_INPUT)
                    ? stream(engine, key, cuts, remarks)
                    : image(engine, key, cuts, remarks, tracker);
        }
        Duration start = ProgramStart.before(report.elapsed());
        json.print(
                () -> {
                    Map<String, Object> result = report.json();
                    result.put("startMilliseconds", start.toMillis());
                    return result;
                },
                () -> report + "\n" + report.limits() + ProgramStart.text(start));
        Warnings.print(report.warnings());
        return 0;
    }

    private BackupReport image(
            EngineStart engine, RepositoryKey key, ImageCuts cuts, Remarks remarks, Optional<ChangeTracker> tracker)
            throws IOException {
        if (command != null) {
            throw new ParameterException(spec.commandLine(), "--stdin-command goes with the image '-'");
        }
        try (ImageSource source =
                        new CheckedImage(format.address(image).open(), image, onReadError, Remarks.MAX_SKIPPED);
                AgentClient client = send.connect()) {
            BackupSession session = session(client, engine, key);
            return ProgressLine.during(
                    "read",
                    source.imageBytes(),
                    session::readBytes,
                    () -> session.run(source, name, cuts, remarks, Pace.unlimited(), tracker));
        }
    }

    private BackupReport stream(EngineStart engine, RepositoryKey key, ImageCuts cuts, Remarks remarks)
            throws IOException {
        try (AgentClient client = send.connect();
                ImageStream stream = command == null ? ImageStream.ofStandardInput() : ImageStream.ofCommand(command)) {
            BackupSession session = session(client, engine, key);
            return ProgressLine.during("read", 0, session::readBytes, () -> session.run(stream, name, cuts, remarks));
        }
    }

    private BackupSession session(AgentClient client, EngineStart engine, RepositoryKey key) throws IOException {
        return send.session(client, engine.get(), key, privateLists);
    }

    private Remarks remarks() {
        try {
            return send.remarks();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private Optional<ChangeTracker> tracker() {
        try {
            Optional<ChangeTracker> tracker = changes.tracker();
            if (tracker.isPresent() && image.equals(STANDARD_INPUT)) {
                throw new IllegalArgumentException("--point goes with an image that is no stream");
            }
            return tracker;
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
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
