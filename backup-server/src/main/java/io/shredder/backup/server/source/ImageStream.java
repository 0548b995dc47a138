// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import io.shredder.backup.seal.keyfile.KeySource;
import java.io.Closeable;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** An image that comes from a program, once, from its start to its end, and of no known length. One thread. */
public final class ImageStream implements Closeable {

    private static final long END_S = 5;

    private final ReadableByteChannel channel;
    private final Optional<Process> producer;

    private ImageStream(ReadableByteChannel channel, Optional<Process> producer) {
        this.channel = channel;
        this.producer = producer;
    }

    /** Standard input. Whoever writes it may have failed when it ends: that can't be seen from here. */
    public static ImageStream ofStandardInput() {
        return new ImageStream(new FileInputStream(FileDescriptor.in).getChannel(), Optional.empty());
    }

    /** Standard output of a command that a shell runs, without what opens the repository key. */
    public static ImageStream ofCommand(String command) throws IOException {
        ProcessBuilder shell =
                new ProcessBuilder("/bin/sh", "-c", command).redirectError(ProcessBuilder.Redirect.INHERIT);
        shell.environment().remove(KeySource.PASSPHRASE_VARIABLE);
        Process process = shell.start();
        process.getOutputStream().close();
        return new ImageStream(Channels.newChannel(process.getInputStream()), Optional.of(process));
    }

    /** The image; stays this one's. */
    public ReadableByteChannel channel() {
        return channel;
    }

    /**
     * To be called when all is read.
     *
     * @throws IOException if what was read is not known to be whole
     */
    public void checkWhole(long bytes) throws IOException {
        if (producer.isPresent()) {
            int code = awaitExit(producer.get());
            if (code != 0) {
                throw new IOException("the command that makes the image ended with exit code " + code + " after "
                        + bytes + " bytes: there is no snapshot");
            }
        }
        if (bytes == 0) {
            throw new IOException("the image was empty: there is no snapshot; did the program that makes it fail?");
        }
    }

    private static int awaitExit(Process process) throws IOException {
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the command that makes the image ended", e);
        }
    }

    /** Ends the command. */
    @Override
    public void close() throws IOException {
        if (producer.isEmpty()) {
            return;
        }
        Process process = producer.get();
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
        try {
            if (!process.waitFor(END_S, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        channel.close();
    }
}
