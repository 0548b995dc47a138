// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli.open;

import io.shredder.backup.server.nbd.Export;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A file system that this machine's kernel mounts from its own NBD client. */
final class KernelMount implements MountCommand.Mounted {

    private static final Pattern PARTITION = Pattern.compile("/dev/sda([0-9]{0,3})");
    private static final int DEVICES = 64;
    private static final long POLL_MS = 500;

    /** Without a journal's replay, since nobody can write: ext4 and XFS each have a word of their own for that. */
    private static final List<String> WAYS = List.of("ro", "ro,noload", "ro,norecovery");

    private final Path folder;
    private final String device;

    private KernelMount(Path folder, String device) {
        this.folder = folder;
        this.device = device;
    }

    /** Refuses to go on without what it needs. */
    static void check() throws IOException {
        if (!Files.exists(Path.of("/dev/nbd0"))) {
            throw new IOException("this kernel has no /dev/nbd0: run 'modprobe nbd max_part=16', or leave --kernel out;"
                    + " a kernel without that module can't");
        } else if (!Files.isWritable(Path.of("/dev/nbd0"))) {
            throw new IOException("--kernel needs root: run it by sudo, or leave --kernel out");
        }
        OtherProgram.check("nbd-client", "nbd-client");
        OtherProgram.check("mount", "mount");
    }

    /**
     * Mounts an export.
     *
     * @param filesystem {@code /dev/sda}, or with a partition's number behind it; the first if none is named
     */
    static KernelMount mount(Export export, Path socket, Path folder, @Nullable String filesystem)
            throws IOException, InterruptedException {
        Matcher partition = PARTITION.matcher(filesystem == null ? "/dev/sda" : filesystem);
        if (!partition.matches()) {
            throw new IOException("with --kernel --filesystem is /dev/sda or /dev/sda1, not '" + filesystem + "'");
        }
        String device = free();
        OtherProgram.Outcome attached = OtherProgram.run(List.of(
                "nbd-client", "-unix", socket.toString(), device, "-N", export.name(), "-readonly", "-persist"));
        if (attached.exitCode() != 0) {
            throw new IOException("nbd-client can't attach " + device + ": " + attached.text());
        }
        KernelMount mounted = new KernelMount(folder, device);
        String number = partition.group(1);
        String problem = "";
        for (String way : WAYS) {
            String source = device + (number.isEmpty() ? "" : "p" + number);
            OtherProgram.Outcome tried =
                    OtherProgram.run(List.of("mount", "-o", way + ",nosuid,nodev", source, folder.toString()));
            if (tried.exitCode() == 0) {
                return mounted;
            }
            problem = problem.isEmpty() ? tried.text() : problem;
        }
        mounted.close();
        throw new IOException("mount can't mount it: " + problem + "; name a partition with --filesystem /dev/sda1");
    }

    private static String free() throws IOException {
        for (int number = 0; number < DEVICES; number++) {
            if (Files.exists(Path.of("/dev/nbd" + number))
                    && !Files.exists(Path.of("/sys/block/nbd" + number + "/pid"))) {
                return "/dev/nbd" + number;
            }
        }
        throw new IOException("all devices /dev/nbd* are in use: detach one with 'nbd-client -d DEVICE'");
    }

    @Override
    public void awaitUnmount() throws IOException, InterruptedException {
        while (OtherProgram.isMounted(folder)) {
            Thread.sleep(POLL_MS);
        }
    }

    @Override
    public synchronized void close() throws IOException {
        try {
            if (OtherProgram.isMounted(folder)) {
                OtherProgram.run(List.of("umount", folder.toString()));
            }
            OtherProgram.run(List.of("nbd-client", "-d", device));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
