// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli.open;

import io.shredder.backup.server.nbd.Export;
import io.shredder.backup.server.nbd.SnapshotVolume;
import io.shredder.backup.server.reader.ReaderFigures;
import io.shredder.backup.server.reader.SnapshotReader;
import io.shredder.backup.server.snapshot.SnapshotChoice;
import io.shredder.backup.server.text.SnapshotText;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
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

/** {@code shredder-backup nbd}. */
@Command(
        name = "nbd",
        description = {
            "Serve a snapshot as a read-only block device (NBD), without restoring it.",
            "What a client reads is fetched, opened and proved at that moment. Damage is an error of the bytes that it"
                    + " is under, and a line here that names them. An agent that goes away is waited for.",
            "Runs until SIGTERM or Ctrl-C, --once or --idle-exit."
        },
        mixinStandardHelpOptions = true)
public final class NbdCommand implements Callable<Integer> {

    @Parameters(paramLabel = "NAME[@ID]", description = "The snapshot; the latest of its name without an id.")
    private SnapshotChoice choice = SnapshotChoice.parse("x");

    @Mixin
    private OpenOptions options = new OpenOptions();

    @Mixin
    private ExportOptions place = new ExportOptions();

    @Option(names = "--once", description = "End when the last client has left.")
    private boolean once;

    @Option(names = "--idle-exit", paramLabel = "SECONDS", description = "End when there was no client for so long.")
    private @Nullable Integer idleSeconds;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        checkPlace();
        AtEnd end = new AtEnd();
        try (OpenOptions.Opened opened = options.open(choice)) {
            serve(opened, end);
            System.out.println(figures(opened.reader()));
        } finally {
            end.through();
        }
        return 0;
    }

    private void serve(OpenOptions.Opened opened, AtEnd end) throws IOException, InterruptedException {
        try (Export export = place.open(new SnapshotVolume(opened.reader()))) {
            end.onSignal(export);
            announce(opened, export);
            export.awaitEnd(once, Optional.ofNullable(idleSeconds).map(Duration::ofSeconds));
        }
    }

    private void checkPlace() {
        place.error().ifPresent(error -> {
            throw wrong(error);
        });
        if (idleSeconds != null && idleSeconds < 1) {
            throw wrong("--idle-exit " + idleSeconds + ": use 1 or more");
        }
    }

    private ParameterException wrong(String text) {
        return new ParameterException(spec.commandLine(), text);
    }

    private static void announce(OpenOptions.Opened opened, Export export) {
        System.out.println("serving " + opened.name() + ", taken "
                + opened.proved().summary().taken() + ", "
                + SnapshotText.size(opened.reader().size()) + ", read-only:");
        System.out.println(export.uri());
        System.out.println("try: nbdinfo '" + export.uri() + "'");
        System.out.println("     guestfish --ro --format=raw -a '" + export.uri() + "' -i");
        System.out.println("     qemu-img convert -O qcow2 '" + export.uri() + "' image.qcow2");
        System.out.flush();
    }

    private static String figures(SnapshotReader reader) {
        ReaderFigures figures = reader.figures();
        long parts = figures.hits() + figures.misses();
        return String.format(
                Locale.ROOT,
                "served %s, received %s; %d of %d parts were in the cache; %d answers of the agent%s",
                SnapshotText.size(figures.readBytes()),
                SnapshotText.size(figures.receivedBytes()),
                figures.hits(),
                parts,
                figures.answers(),
                figures.reconnections() == 0 ? "" : "; the agent was away " + figures.reconnections() + " times");
    }
}
