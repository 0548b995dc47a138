// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.open.files;

import io.shredder.backup.server.guest.BroughtFiles;
import io.shredder.backup.server.guest.FileFacts;
import io.shredder.backup.server.guest.FileListener;
import io.shredder.backup.server.guest.FileReaderProcess;
import io.shredder.backup.server.guest.ReaderProgram;
import io.shredder.backup.server.guest.VolumeFacts;
import io.shredder.it.corpus.Folders;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Hostile file systems and partition tables: all files of a changed image are listed and brought back. It must end in
 * time, in files or one-line errors, and write nowhere but into its folder. Each image has its number as a seed.
 */
public final class FuzzTrial {

    private static final long MOST_SECONDS = 120;

    private final ReaderProgram program;
    private final Path folder;
    private final long seed;

    /**
     * What was seen.
     *
     * @param images that were tried
     * @param asUsual of which all files came without an error
     * @param withErrors of which something failed and the reader lived
     * @param refused of which the reader said or did what it may not, and was ended
     * @param problems a line for each that broke a promise: hung, wrote outside, or failed otherwise
     * @param slowestSeconds of one image
     */
    public record Seen(
            int images, int asUsual, int withErrors, int refused, List<String> problems, double slowestSeconds) {}

    /** In an empty folder. */
    public FuzzTrial(ReaderProgram program, Path folder, long seed) {
        this.program = program;
        this.folder = folder;
        this.seed = seed;
    }

    /** Tries so many images, in turn of all kinds. */
    public Seen run(int count) throws IOException {
        List<FileImages.Made> images = FileImages.make(Files.createDirectories(folder.resolve("images")), seed);
        List<List<long[]>> tables = new ArrayList<>();
        for (FileImages.Made made : images) {
            List<String> errors = new ArrayList<>();
            try (FuzzedImage image = new FuzzedImage(made.file())) {
                read(image, folder.resolve("plain"), errors);
            }
            try (FuzzedImage image = new FuzzedImage(made.file())) {
                list(image, errors);
                tables.add(List.copyOf(image.asked()));
            }
            if (!errors.isEmpty()) {
                throw new IOException(made.kind() + " fails although nothing is changed: " + errors.get(0));
            }
        }
        int asUsual = 0;
        int withErrors = 0;
        int refused = 0;
        double slowest = 0;
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int which = i % images.size();
            long startNs = System.nanoTime();
            List<String> errors = new ArrayList<>();
            String name = images.get(which).kind() + ", seed " + seed + ", image " + i;
            try (FuzzedImage image = new FuzzedImage(images.get(which).file())) {
                image.change(new Random(seed * 1_000_003 + i), tables.get(which));
                read(image, folder.resolve("to"), errors);
                asUsual += errors.isEmpty() ? 1 : 0;
                withErrors += errors.isEmpty() ? 0 : 1;
            } catch (IOException e) {
                refused++;
                System.out.println(name + ": " + e.getMessage());
            } catch (RuntimeException e) {
                problems.add(name + ": " + e);
            }
            double seconds = (System.nanoTime() - startNs) / 1e9;
            slowest = Math.max(slowest, seconds);
            if (seconds > MOST_SECONDS) {
                problems.add(name + ": took " + seconds + " s");
            }
            outside().ifPresent(path -> problems.add(name + ": wrote " + path));
        }
        return new Seen(count, asUsual, withErrors, refused, problems, slowest);
    }

    /** Reads what says where files are, and none of what is in them. */
    private void list(FuzzedImage image, List<String> errors) throws IOException {
        try (FileReaderProcess reader = FileReaderProcess.start(program, image)) {
            List<VolumeFacts> volumes = new ArrayList<>();
            reader.volumes(volumes::add, errors::add);
            for (VolumeFacts volume : volumes) {
                if (volume.readable()) {
                    reader.list(volume.name(), "/", true, new Listing(errors));
                }
            }
        }
    }

    /** What a listing comes to: its errors. */
    private record Listing(List<String> errors) implements FileListener {
        @Override
        public void found(FileFacts facts) {}

        @Override
        public void bytes(ByteBuffer piece) {}

        @Override
        public void failed(String path, String why) {
            errors.add(path + ": " + why);
        }
    }

    private void read(FuzzedImage image, Path to, List<String> errors) throws IOException {
        Folders.delete(to);
        BroughtFiles.Rules rules = new BroughtFiles.Rules(false, false, image.size());
        try (FileReaderProcess reader = FileReaderProcess.start(program, image);
                BroughtFiles files = new BroughtFiles(
                        to, rules, (path, why) -> errors.add(path + ": " + why), (path, why) -> errors.add(why))) {
            List<VolumeFacts> volumes = new ArrayList<>();
            reader.volumes(volumes::add, errors::add);
            volumes.forEach(volume -> volume.error().ifPresent(errors::add));
            boolean any = false;
            for (VolumeFacts volume : volumes) {
                if (volume.readable()) {
                    any = true;
                    reader.bring(volume.name(), "/", files);
                }
            }
            files.finish();
            if (!any) {
                errors.add("no file system is found");
            }
        }
    }

    /** What lies beside the folders that this trial knows. */
    private Optional<Path> outside() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(path -> !List.of("images", "plain", "to")
                                    .contains(path.getFileName().toString())
                            || !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
                    .findFirst();
        }
    }
}
