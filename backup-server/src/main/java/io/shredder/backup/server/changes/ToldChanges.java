// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.changes;

import io.shredder.backup.seal.keyfile.KeySource;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Changes that a storage system tells, by a file or a command. One thread. */
public final class ToldChanges implements ChangeTracker {

    private final String point;
    private final Duration wholeEvery;
    private final Source source;
    private String reason = "";

    /** Where a list comes from. */
    private interface Source {
        Optional<ChangedRanges> since(String lastPoint) throws IOException;
    }

    private ToldChanges(String point, Duration wholeEvery, Source source) {
        this.point = point;
        this.wholeEvery = wholeEvery;
        this.source = source;
    }

    /** Nothing is told of before; the next backup may know what came after. */
    public static ToldChanges none(String point, Duration wholeEvery) {
        ToldChanges told = new ToldChanges(point, wholeEvery, lastPoint -> Optional.empty());
        told.reason = "no changes were told";
        return told;
    }

    /**
     * A file's.
     *
     * @param since the point from which the file has all changes
     */
    public static ToldChanges file(String point, Duration wholeEvery, Path file, String since) {
        return new ToldChanges(point, wholeEvery, lastPoint -> {
            if (!since.equals(lastPoint)) {
                throw new IOException(
                        file + " has the changes since " + since + ", and the last snapshot is of " + lastPoint);
            }
            try (Reader in = Files.newBufferedReader(file)) {
                return Optional.of(ChangeList.read(in, file.toString()));
            }
        });
    }

    /**
     * What a command writes, which a shell runs: {@code SHREDDER_SINCE} and {@code SHREDDER_POINT} tell it between
     * which points.
     */
    public static ToldChanges command(String point, Duration wholeEvery, String command) {
        return new ToldChanges(point, wholeEvery, lastPoint -> Optional.of(run(command, lastPoint, point)));
    }

    private static ChangedRanges run(String command, String since, String point) throws IOException {
        ProcessBuilder shell =
                new ProcessBuilder("/bin/sh", "-c", command).redirectError(ProcessBuilder.Redirect.INHERIT);
        shell.environment().remove(KeySource.PASSPHRASE_VARIABLE);
        shell.environment().put("SHREDDER_SINCE", since);
        shell.environment().put("SHREDDER_POINT", point);
        Process process = shell.start();
        try (Reader in = new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)) {
            process.getOutputStream().close();
            ChangedRanges told = ChangeList.read(in, "the command that lists changes");
            int code = process.waitFor();
            if (code != 0) {
                throw new IOException("the command that lists changes ended with exit code " + code);
            }
            return told;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            process.destroyForcibly();
        }
    }

    @Override
    public String point() {
        return point;
    }

    @Override
    public Duration wholeEvery() {
        return wholeEvery;
    }

    /** A list that can't be had is none: then everything is read. */
    @Override
    public Optional<ChangedRanges> since(String lastPoint) {
        try {
            return source.since(lastPoint);
        } catch (IOException e) {
            reason = String.valueOf(e.getMessage());
            return Optional.empty();
        }
    }

    @Override
    public String reason() {
        return reason;
    }
}
