// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli.open;

import io.shredder.backup.server.nbd.Export;
import io.shredder.backup.server.snapshot.SnapshotChoice;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code shredder-backup mount}. */
@Command(
        name = "mount",
        description = {
            "Mount a file system of a snapshot, read-only, without restoring it; runs until it is unmounted or ended by"
                    + " Ctrl-C or SIGTERM, which unmount it.",
            "Usually by guestmount of libguestfs, without root: the drivers of file systems run in a small virtual"
                    + " machine, so an image that somebody tampered with meets no driver of this machine's kernel."
                    + " Without KVM, or where it doesn't work, set LIBGUESTFS_BACKEND_SETTINGS=force_tcg.",
            "With --kernel by this machine's kernel itself: quicker, but only for images that you trust as you trust"
                    + " its root."
        },
        mixinStandardHelpOptions = true)
public final class MountCommand implements Callable<Integer> {

    @Parameters(
            index = "0",
            paramLabel = "NAME[@ID]",
            description = "The snapshot; the latest of its name without an id.")
    private SnapshotChoice choice = SnapshotChoice.parse("x");

    @Parameters(index = "1", paramLabel = "DIR", description = "An empty folder to mount it at.")
    private Path folder = Path.of("");

    @Mixin
    private OpenOptions options = new OpenOptions();

    @Option(
            names = "--filesystem",
            paramLabel = "DEVICE",
            description =
                    "Which file system of the image: /dev/sda for all of it, /dev/sda1 for its first partition, or"
                            + " another name that 'virt-filesystems -a URI' prints (default: the one there is of these two, or"
                            + " all of an operating system's).")
    private @Nullable String filesystem;

    @Option(
            names = "--kernel",
            description = "Have this machine's kernel mount it: needs root, the module nbd and nbd-client.")
    private boolean byKernel;

    @Override
    public Integer call() throws IOException, InterruptedException {
        checkFolder();
        if (byKernel) {
            KernelMount.check();
        } else {
            GuestMount.check();
        }
        AtEnd end = new AtEnd();
        Path sockets = Files.createTempDirectory("shredder-mount"); // Of this user alone.
        try (OpenOptions.Opened opened = options.open(choice);
                Export export = Export.open(opened.reader(), sockets.resolve("nbd"))) {
            mount(opened, export, end, sockets.resolve("nbd"));
        } finally {
            Files.deleteIfExists(sockets);
            end.through();
        }
        return 0;
    }

    private void checkFolder() throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new IOException(folder + " is not a folder: make it first");
        }
        try (Stream<Path> entries = Files.list(folder)) {
            if (entries.findAny().isPresent()) {
                throw new IOException(folder + " is not empty: name an empty folder to mount at");
            }
        }
    }

    private void mount(OpenOptions.Opened opened, Export export, AtEnd end, Path socket)
            throws IOException, InterruptedException {
        System.out.println("mounting " + opened.name() + " at " + folder
                + (byKernel ? "" : ": the virtual machine for it takes some seconds, or minutes without KVM"));
        System.out.flush();
        try (Mounted mounted = byKernel
                ? KernelMount.mount(export, socket, folder, filesystem)
                : GuestMount.mount(socket, folder, filesystem, end)) {
            end.onSignal(mounted);
            System.out.println(
                    opened.name() + " is at " + folder + ", read-only; 'umount " + folder + "' or Ctrl-C ends it");
            System.out.flush();
            mounted.awaitUnmount();
        }
        System.out.println("unmounted " + folder);
    }

    /** A file system at a folder. Closing unmounts it, unless that was done. */
    interface Mounted extends Closeable {

        /** Waits until somebody has unmounted it. */
        void awaitUnmount() throws IOException, InterruptedException;
    }
}
