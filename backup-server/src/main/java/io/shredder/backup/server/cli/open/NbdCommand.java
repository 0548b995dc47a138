// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli.open;

import io.shredder.backup.server.nbd.Export;
import io.shredder.backup.server.nbd.NbdAccess;
import io.shredder.backup.server.nbd.NbdServer;
import io.shredder.backup.server.reader.ReaderFigures;
import io.shredder.backup.server.reader.SnapshotReader;
import io.shredder.backup.server.snapshot.SnapshotChoice;
import io.shredder.backup.server.text.SnapshotText;
import io.shredder.backup.wire.HostPort;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
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

    @ArgGroup(exclusive = true)
    private Place place = new Place();

    @ArgGroup(exclusive = false, heading = "With --listen clients need TLS and a certificate:%n")
    private @Nullable ExportTlsOptions tls;

    @Option(names = "--no-tls", description = "Serve whoever connects; only with --listen at a loopback address.")
    private boolean withoutTls;

    @Option(names = "--once", description = "End when the last client has left.")
    private boolean once;

    @Option(names = "--idle-exit", paramLabel = "SECONDS", description = "End when there was no client for so long.")
    private @Nullable Integer idleSeconds;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** One of the two, or neither. */
    private static final class Place {

        @Option(
                names = "--socket",
                paramLabel = "PATH",
                description = "Serve at this Unix socket, which this user alone may use (default: a name in"
                        + " $XDG_RUNTIME_DIR or /run, which is printed).")
        private @Nullable Path socket;

        @Option(
                names = "--listen",
                paramLabel = "HOST:PORT",
                description = "Serve at this address instead; port 0 for any, which is printed.")
        private @Nullable HostPort listen;
    }

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
        try (Export export = export(opened)) {
            end.onSignal(export);
            announce(opened, export);
            export.awaitEnd(once, Optional.ofNullable(idleSeconds).map(Duration::ofSeconds));
        }
    }

    private void checkPlace() {
        if (place.listen == null && (tls != null || withoutTls)) {
            throw wrong("TLS is for --listen: a Unix socket is this user's alone");
        } else if (place.listen != null && tls != null && withoutTls) {
            throw wrong("--no-tls contradicts --tls-cert: leave one of them out");
        } else if (place.listen != null && tls == null && !withoutTls) {
            throw wrong("--listen needs --tls-cert, --tls-key and --tls-ca, or, at a loopback address, --no-tls");
        } else if (place.listen != null && withoutTls && !NbdServer.isLoopback(place.listen)) {
            throw wrong("--no-tls at " + place.listen + " would show the image to whoever connects:"
                    + " listen at 127.0.0.1 or [::1], or with --tls-cert, --tls-key and --tls-ca");
        } else if (idleSeconds != null && idleSeconds < 1) {
            throw wrong("--idle-exit " + idleSeconds + ": use 1 or more");
        }
    }

    private ParameterException wrong(String text) {
        return new ParameterException(spec.commandLine(), text);
    }

    private Export export(OpenOptions.Opened opened) throws IOException {
        if (place.listen != null) {
            NbdAccess access = tls == null ? NbdAccess.ofSocket() : tls.access();
            return Export.open(opened.reader(), place.listen, access);
        }
        return Export.open(opened.reader(), place.socket != null ? place.socket : ExportFolder.socketOf(opened.name()));
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
