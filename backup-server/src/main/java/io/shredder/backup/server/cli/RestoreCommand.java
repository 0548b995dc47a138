// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.seal.Remarks;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.server.cli.open.LiveOptions;
import io.shredder.backup.server.cli.open.OpenOptions;
import io.shredder.backup.server.cli.option.CoresOption;
import io.shredder.backup.server.cli.option.JsonOption;
import io.shredder.backup.server.cli.option.KeyOptions;
import io.shredder.backup.server.cli.option.SourceOptions;
import io.shredder.backup.server.cli.option.StateOptions;
import io.shredder.backup.server.cli.option.TrustedChoice;
import io.shredder.backup.server.cli.option.Warnings;
import io.shredder.backup.server.restore.RestoreSession;
import io.shredder.backup.server.snapshot.SnapshotChoice;
import io.shredder.backup.server.stage.Limits;
import io.shredder.backup.server.stage.RestoreTimes;
import io.shredder.backup.server.stage.StageTime;
import io.shredder.backup.server.targets.DeviceTarget;
import io.shredder.backup.server.targets.FileTarget;
import io.shredder.backup.server.targets.PipeTarget;
import io.shredder.backup.server.targets.RestoreTarget;
import io.shredder.backup.server.text.ProgressLine;
import io.shredder.backup.server.text.RemarksText;
import io.shredder.backup.server.text.SnapshotText;
import io.shredder.backup.server.trust.ProvedSnapshot;
import io.shredder.backup.snapshot.SnapshotInfo;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code shredder-backup restore}. */
@Command(
        name = "restore",
        description = "Write a snapshot's image to a file (sparse) or to standard output, proving every byte.",
        mixinStandardHelpOptions = true)
final class RestoreCommand implements Callable<Integer> {

    private static final String STANDARD_OUTPUT = "-";

    @Parameters(paramLabel = "NAME[@ID]", description = "The snapshot; the latest of its name without an id.")
    private SnapshotChoice choice = SnapshotChoice.parse("x");

    @Mixin
    private SourceOptions source = new SourceOptions();

    @Mixin
    private KeyOptions keys = new KeyOptions();

    @Option(names = "--to", required = true, paramLabel = "FILE", description = "Where to; '-' is standard output.")
    private String to = STANDARD_OUTPUT;

    @Option(names = "--force", description = "Replace the file if it exists.")
    private boolean force;

    @Option(
            names = "--sync",
            description = "Return only when the disk has the file. Without it the system writes it out in its own time,"
                    + " as after a copy: a power failure within a minute may cost it.")
    private boolean sync;

    @Option(
            names = "--tag",
            paramLabel = "TAG",
            description = "The latest snapshot of the name with this tag, instead of the latest of all.")
    private @Nullable String tag;

    @Option(
            names = "--accept-skipped",
            description = "Restore a snapshot, too, in which zeros take the place of what could not be read when it was"
                    + " made; says which ranges.")
    private boolean acceptSkipped;

    @Mixin
    private CoresOption cores = new CoresOption();

    @Mixin
    private StateOptions state = new StateOptions();

    @Mixin
    private JsonOption json = new JsonOption();

    @Mixin
    private LiveOptions live = new LiveOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        live.error().ifPresent(error -> {
            throw new ParameterException(spec.commandLine(), error);
        });
        if (live.areAsked()) {
            return restoreLive();
        }
        if (toPipe() && json.isGiven()) {
            throw new ParameterException(spec.commandLine(), "--to - is the image itself: it goes without --json");
        }
        RepositoryKey key = keys.unlock();
        long startNs = System.nanoTime();
        try (RestoreTarget target = target();
                AgentClient client = source.connect()) {
            TrustedChoice trusted = new TrustedChoice(client, key, state.commits());
            ProvedSnapshot proved = tag == null ? trusted.find(choice) : trusted.find(choice, tag);
            SnapshotInfo snapshot = proved.info();
            Remarks remarks = proved.summary().remarks();
            checkSkipped(snapshot, remarks);
            announce(proved);
            target.expect(snapshot.imageBytes());
            RestoreSession session = new RestoreSession(client, key, cores.get());
            ProgressLine.during("restored", snapshot.imageBytes(), session::writtenBytes, () -> {
                session.run(snapshot, target);
                return snapshot;
            });
            report(proved, client, session.times(), System.nanoTime() - startNs);
        }
        return 0;
    }

    private int restoreLive() throws IOException {
        if (toPipe() || force || sync || tag != null || json.isGiven()) {
            throw new ParameterException(
                    spec.commandLine(), "--live goes to a new file, without --force, --sync, --tag and --json");
        } else if (DeviceTarget.isDevice(Path.of(to))) {
            throw new ParameterException(
                    spec.commandLine(), "--live goes to a file, not to a device: give " + to + " a file system");
        }
        return live.run(
                new OpenOptions.Place(source, keys, state), choice, Path.of(to), cores.outsideHeap(), acceptSkipped);
    }

    private RestoreTarget target() throws IOException {
        if (toPipe()) {
            return new PipeTarget(new FileOutputStream(FileDescriptor.out).getChannel());
        }
        Path path = Path.of(to);
        return DeviceTarget.isDevice(path)
                ? DeviceTarget.open(path, force)
                : new FileTarget(path, force, sync, cores.get().opening(false));
    }

    private boolean toPipe() {
        return to.equals(STANDARD_OUTPUT);
    }

    private void checkSkipped(SnapshotInfo snapshot, Remarks remarks) throws IOException {
        if (!remarks.skipped().isEmpty() && !acceptSkipped) {
            throw new IOException(SnapshotText.name(snapshot) + " has zeros in place of " + remarks.skippedBytes()
                    + " bytes that could not be read when it was made, the first "
                    + remarks.skipped().get(0) + ": restore another snapshot, or this one with --accept-skipped");
        }
    }

    /** Before anything is written: it may be the wrong one. */
    private void announce(ProvedSnapshot proved) {
        if (!toPipe() && !json.isGiven()) {
            System.out.println("restoring " + SnapshotText.name(proved.info()) + ", taken "
                    + proved.summary().taken());
        }
    }

    private void report(ProvedSnapshot proved, AgentClient client, RestoreTimes times, long elapsedNs)
            throws IOException {
        SnapshotInfo snapshot = proved.info();
        Remarks remarks = proved.summary().remarks();
        Warnings.print(RemarksText.warnings(snapshot, remarks));
        if (toPipe()) {
            return;
        }
        double seconds = elapsedNs / 1e9;
        double megabytesPerSecond = snapshot.imageBytes() / 1e6 / seconds;
        Map<String, Object> result = new LinkedHashMap<>(SnapshotText.json(snapshot));
        result.putAll(RemarksText.json(remarks));
        result.put("taken", proved.summary().taken().toString());
        result.put("to", to);
        result.put("bytesReceived", client.receivedBytes());
        result.put("milliseconds", elapsedNs / 1_000_000);
        result.put("megabytesPerSecond", Math.round(megabytesPerSecond * 10) / 10.0);
        Duration start = ProgramStart.before(Duration.ofNanos(elapsedNs));
        result.put("startMilliseconds", start.toMillis());
        result.put(
                "stages", times.figures().stream().map(StageTime.Figures::json).toList());
        json.print(
                () -> result,
                () -> String.format(
                        Locale.ROOT,
                        "restored %s@%d to %s: %s, received %s; %.1f s, %.0f MB/s%nbusy: %s",
                        snapshot.name(),
                        snapshot.id(),
                        to,
                        SnapshotText.size(snapshot.imageBytes()),
                        SnapshotText.size(client.receivedBytes()),
                        seconds,
                        megabytesPerSecond,
                        Limits.text(times.figures(), seconds) + ProgramStart.text(start)));
    }
}
