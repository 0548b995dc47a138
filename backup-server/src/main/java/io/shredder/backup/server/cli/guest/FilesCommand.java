// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli.guest;

import io.shredder.backup.server.cli.open.OpenOptions;
import io.shredder.backup.server.cli.option.Warnings;
import io.shredder.backup.server.guest.BroughtFiles;
import io.shredder.backup.server.guest.FileFacts;
import io.shredder.backup.server.guest.FileListener;
import io.shredder.backup.server.guest.FileReaderProcess;
import io.shredder.backup.server.guest.GuestPath;
import io.shredder.backup.server.guest.PlainText;
import io.shredder.backup.server.guest.ReaderBytes;
import io.shredder.backup.server.guest.ReaderProgram;
import io.shredder.backup.server.guest.VolumeFacts;
import io.shredder.backup.server.snapshot.SnapshotChoice;
import io.shredder.backup.server.text.Json;
import io.shredder.backup.server.text.ProgressLine;
import io.shredder.backup.server.text.SnapshotText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code shredder-backup files}. */
@Command(
        name = "files",
        description = {
            "List an image's file systems and files, and bring files back, without restoring the image.",
            "Reads ext2, ext3, ext4, XFS, btrfs, NTFS and FAT, in partitions and LVM, without root and without the"
                    + " kernel's file systems: in a process of its own that has neither a network nor other files.",
            "Journals are not replayed: of a file system that was not unmounted, the last seconds may be missing."
        },
        footer = {
            "",
            "PATH is a file, a folder, or has *, ? and [..] in its names, in quotes: '/etc/*.conf'. It is looked for",
            "where the image's own /etc/fstab puts it, or in the volume that is named: sda1:/etc, group/volume:/etc."
        },
        mixinStandardHelpOptions = true)
public final class FilesCommand implements Callable<Integer> {

    @Parameters(index = "0", paramLabel = "NAME[@ID]", description = "The snapshot; the latest without an id.")
    private SnapshotChoice choice = SnapshotChoice.parse("x");

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "PATH",
            description = "What to list or bring back; without it the file systems are listed.")
    private @Nullable String path;

    @Option(
            names = "--fs",
            paramLabel = "VOLUME",
            description = "The file system that PATH is in, such as sda1, /dev/sda1 or group/volume.")
    private @Nullable String volume;

    @Option(
            names = {"-r", "--recursive"},
            description = "List what is below folders, too.")
    private boolean recursive;

    @Option(
            names = "--to",
            paramLabel = "DIR",
            description = "Bring files back below this folder, by their paths, with their permissions and times, and as"
                    + " root their owners; of a folder all that is in it.")
    private @Nullable Path to;

    @Option(names = "--overwrite", description = "Replace files that are there; without it they fail.")
    private boolean overwrite;

    @Option(names = "--sparse", description = "Bring files, too, that say to be larger than the whole image.")
    private boolean sparse;

    @Option(
            names = "--no-sandbox",
            description = "Go without bubblewrap, where it is missing or may not be used. The reader still has limits.")
    private boolean noSandbox;

    @Option(
            names = "--python",
            paramLabel = "FILE",
            description = "The Python that has the parsers (default: /opt/shredder-files/bin/python3 if it is there,"
                    + " else python3 on PATH).")
    private @Nullable Path python;

    @Option(names = "--json", description = "Print an object of JSON for each file system or file, a line each.")
    private boolean json;

    @Mixin
    private OpenOptions options = new OpenOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        if (path == null && (to != null || volume != null || recursive)) {
            throw new ParameterException(spec.commandLine(), "--to, --fs and --recursive need a PATH, such as /etc");
        }
        if (to == null && (overwrite || sparse)) {
            throw new ParameterException(spec.commandLine(), "--overwrite and --sparse need --to DIR");
        }
        ReaderProgram program = ReaderProgram.find(Optional.ofNullable(python), !noSandbox);
        List<String> problems = new ArrayList<>();
        try (OpenOptions.Opened opened = options.open(choice);
                FileReaderProcess reader = FileReaderProcess.start(program, new ReaderBytes(opened.reader()))) {
            List<VolumeFacts> volumes = new ArrayList<>();
            reader.volumes(volumes::add, path == null ? problems::add : ignored -> {});
            if (path == null) {
                printVolumes(volumes);
            } else {
                GuestPath wanted = GuestPath.of(Optional.ofNullable(volume), path, volumes);
                warnOfJournal(wanted, volumes);
                if (to == null) {
                    list(reader, wanted, problems);
                } else {
                    bring(reader, wanted, to, opened.reader().size(), problems);
                }
            }
        }
        Warnings.print(problems);
        return problems.isEmpty() ? 0 : 1;
    }

    private void printVolumes(List<VolumeFacts> volumes) {
        if (json) {
            volumes.forEach(each -> System.out.println(Json.line(each.json())));
            return;
        }
        System.out.println(
                String.format(Locale.ROOT, "%-20s %-6s %10s  %-16s %s", "VOLUME", "TYPE", "SIZE", "LABEL", "MOUNT"));
        volumes.forEach(each -> System.out.println(each.line(SnapshotText.size(each.size()))));
    }

    private static void warnOfJournal(GuestPath wanted, List<VolumeFacts> volumes) {
        volumes.stream()
                .filter(each -> each.name().equals(wanted.volume()) && each.unclean())
                .forEach(each -> Warnings.print(List.of(each.name() + " was not unmounted cleanly, and its journal is"
                        + " not replayed here: what changed in the last seconds may be missing or old")));
    }

    private void list(FileReaderProcess reader, GuestPath wanted, List<String> problems) throws IOException {
        reader.list(wanted.volume(), wanted.path(), recursive, new FileListener() {
            @Override
            public void found(FileFacts facts) {
                System.out.println(json ? Json.line(facts.json()) : facts.line());
            }

            @Override
            public void bytes(ByteBuffer piece) throws IOException {
                throw new IOException("the reader of files sent bytes of a file that is only listed");
            }

            @Override
            public void failed(String where, String why) {
                problems.add(problem(where, why));
            }
        });
        System.out.flush();
    }

    private void bring(FileReaderProcess reader, GuestPath wanted, Path folder, long imageBytes, List<String> problems)
            throws IOException {
        boolean isRoot = (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
        long mostBytes = sparse ? Long.MAX_VALUE : imageBytes;
        BroughtFiles.Rules rules = new BroughtFiles.Rules(overwrite, isRoot, mostBytes);
        long startNs = System.nanoTime();
        List<String> remarks = new ArrayList<>();
        try (BroughtFiles brought = new BroughtFiles(
                folder,
                rules,
                (where, why) -> problems.add(problem(where, why)),
                (where, why) -> remarks.add(problem(where, why)))) {
            Thread atEnd = new Thread(brought::close, "files-end"); // Ctrl-C leaves no half file
            Runtime.getRuntime().addShutdownHook(atEnd);
            long total = ProgressLine.isTerminal() ? total(reader, wanted) : 0;
            ProgressLine.during("brought back", total, brought::writtenBytes, () -> {
                reader.bring(wanted.volume(), wanted.path(), brought);
                brought.finish();
                return brought;
            });
            Runtime.getRuntime().removeShutdownHook(atEnd);
            Warnings.print(remarks);
            report(brought, folder, (System.nanoTime() - startNs) / 1e9, problems.size());
        }
    }

    /** For the rest of time that a terminal shows: what is to come is listed first. */
    private static long total(FileReaderProcess reader, GuestPath wanted) throws IOException {
        AtomicLong bytes = new AtomicLong();
        reader.list(wanted.volume(), wanted.path(), true, new FileListener() {
            @Override
            public void found(FileFacts facts) {
                bytes.addAndGet(facts.kind().hasBytes() ? facts.size() : 0);
            }

            @Override
            public void bytes(ByteBuffer piece) {
                piece.position(piece.limit());
            }

            @Override
            public void failed(String where, String why) {
                // It will be said when the file itself is brought.
            }
        });
        return bytes.get();
    }

    private void report(BroughtFiles brought, Path folder, double seconds, int failed) {
        if (json) {
            Map<String, Object> result = new LinkedHashMap<>();
            result.put("to", folder);
            result.put("files", brought.files());
            result.put("bytes", brought.writtenBytes());
            result.put("failed", failed);
            result.put("milliseconds", Math.round(seconds * 1000));
            System.out.println(Json.line(result));
            return;
        }
        System.out.println(String.format(
                Locale.ROOT,
                "brought %d files to %s: %s; %.1f s%s",
                brought.files(),
                folder,
                SnapshotText.size(brought.writtenBytes()),
                seconds,
                failed == 0 ? "" : "; " + failed + " failed"));
    }

    private static String problem(String where, String why) {
        return where.isEmpty() ? PlainText.of(why) : PlainText.of(where) + ": " + PlainText.of(why);
    }
}
