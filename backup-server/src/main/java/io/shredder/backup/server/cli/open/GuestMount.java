// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli.open;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A file system that libguestfs shows by FUSE: {@code guestmount}, a child process that ends when it is unmounted. */
final class GuestMount implements MountCommand.Mounted {

    private static final long POLL_MS = 100;
    private static final long END_S = 15;

    private final Process process;
    private final Path folder;
    private final Path said;

    private GuestMount(Process process, Path folder, Path said) {
        this.process = process;
        this.folder = folder;
        this.said = said;
    }

    /** Refuses to go on without what it needs. */
    static void check() throws IOException {
        OtherProgram.check("guestmount", "libguestfs-tools");
        OtherProgram.check("fusermount", "fuse3");
        if (!Files.isWritable(Path.of("/dev/fuse"))) {
            throw new IOException("/dev/fuse can't be used: load the module fuse, or let this user write to it");
        }
    }

    /**
     * Mounts what an export at a socket has.
     *
     * @param filesystem a device of libguestfs; without one what is found
     */
    static GuestMount mount(Path socket, Path folder, @Nullable String filesystem, AtEnd end)
            throws IOException, InterruptedException {
        List<List<String>> ways = filesystem != null
                ? List.of(List.of("-m", filesystem))
                : List.of(List.of("-i"), List.of("-m", "/dev/sda"), List.of("-m", "/dev/sda1"));
        String problem = "";
        for (List<String> way : ways) {
            GuestMount tried = start(socket, folder, way);
            end.onSignal(tried);
            if (tried.comesUp()) {
                return tried;
            }
            problem = OtherProgram.lastLine(tried.said);
            tried.close();
        }
        throw new IOException("guestmount can't mount it: " + problem
                + "; name a file system with --filesystem, and see that 'libguestfs-test-tool' works here");
    }

    private static GuestMount start(Path socket, Path folder, List<String> way) throws IOException {
        List<String> words = new ArrayList<>(List.of("guestmount", "--ro", "--no-fork", "--format=raw"));
        words.addAll(List.of("-a", "nbd://?socket=" + socket));
        words.addAll(way);
        words.add(folder.toString());
        Path said = Files.createTempFile("shredder-guestmount", ".txt");
        Process process = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        return new GuestMount(process, folder, said);
    }

    /** Waits until it is there; returns whether it is, or its process has ended. */
    private boolean comesUp() throws IOException, InterruptedException {
        while (!process.waitFor(POLL_MS, TimeUnit.MILLISECONDS)) {
            if (OtherProgram.isMounted(folder)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void awaitUnmount() throws InterruptedException {
        process.waitFor();
    }

    @Override
    public synchronized void close() throws IOException {
        try {
            if (process.isAlive() && OtherProgram.isMounted(folder)) {
                OtherProgram.Outcome ended = OtherProgram.run(List.of("fusermount", "-u", folder.toString()));
                if (ended.exitCode() != 0) { // Somebody is in it: it goes when he leaves.
                    OtherProgram.run(List.of("fusermount", "-u", "-z", folder.toString()));
                }
            }
            if (!process.waitFor(process.isAlive() && OtherProgram.isMounted(folder) ? 0 : END_S, TimeUnit.SECONDS)) {
                process.destroy();
                process.waitFor(END_S, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroy();
        } finally {
            Files.deleteIfExists(said);
        }
    }
}
