// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.guest;

import io.shredder.backup.server.text.Json;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The process that reads the files of one image. It is given the image's bytes, and what it says is taken for what an
 * attacker may have written, who can make an image. It dies with this object, and with this JVM. One thread uses it;
 * two more, {@code files-errors} and {@code files-watch}, end by themselves.
 */
public final class FileReaderProcess implements Closeable {

    /** Longer than what {@code file_reader.py} may compute between two frames. */
    private static final Duration SILENCE = Duration.ofSeconds(150);

    private static final int MOST_ERROR_CHARS = 500;

    private final Process process;
    private final ReaderPipes pipes;
    private final ImageBytes image;
    private final Thread errors;
    private volatile String lastError = "";

    /** When the other side's turn began; MAX_VALUE while it is ours. */
    private volatile long theirTurnNs = Long.MAX_VALUE;

    private volatile boolean wasSilent;

    private FileReaderProcess(Process process, ImageBytes image) {
        this.process = process;
        this.pipes = new ReaderPipes(process.getInputStream(), process.getOutputStream());
        this.image = image;
        this.errors = daemon("files-errors", this::keepLastError);
    }

    /**
     * Starts it, and has it look where the image's file systems are.
     *
     * @throws IOException if it can't be started; says why and what to install
     */
    public static FileReaderProcess start(ReaderProgram program, ImageBytes image) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(program.command());
        builder.environment().clear();
        FileReaderProcess reader = new FileReaderProcess(builder.start(), image);
        try {
            daemon("files-watch", reader::endSilent);
            reader.pipes.sendProgram(ReaderProgram.source());
            reader.request(Map.of("imageBytes", image.size()), json -> {
                throw new IOException(json.text("error") + ": " + ReaderProgram.installation());
            });
            return reader;
        } catch (IOException e) {
            reader.close();
            throw e;
        }
    }

    private void keepLastError() {
        try (BufferedReader lines = process.errorReader(StandardCharsets.UTF_8)) {
            lines.lines()
                    .forEach(line ->
                            lastError = PlainText.of(line.substring(0, Math.min(line.length(), MOST_ERROR_CHARS))));
        } catch (IOException | RuntimeException e) {
            lastError = lastError.isEmpty() ? String.valueOf(e.getMessage()) : lastError;
        }
    }

    private void endSilent() {
        try {
            while (!process.waitFor(1, TimeUnit.SECONDS)) {
                long began = theirTurnNs;
                if (began != Long.MAX_VALUE && System.nanoTime() - began > SILENCE.toNanos()) {
                    wasSilent = true;
                    process.destroyForcibly();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Thread daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** Tells of all volumes, and of what keeps some from being found. */
    public void volumes(Consumer<VolumeFacts> found, Consumer<String> failed) throws IOException {
        request(Map.of("do", "volumes"), json -> {
            if (json.has("volume")) {
                found.accept(VolumeFacts.of(json));
            } else {
                failed.accept(json.text("error"));
            }
        });
    }

    /**
     * Tells of files without their bytes: of a folder, what is in it.
     *
     * @param path with {@code *}, {@code ?} and {@code [..]} in its names
     * @param deep whether all below folders, too
     */
    public void list(String volume, String path, boolean deep, FileListener listener) throws IOException {
        files("list", volume, path, deep, listener);
    }

    /** Tells of files with their bytes: of a folder, all that is in and below it. */
    public void bring(String volume, String path, FileListener listener) throws IOException {
        files("bring", volume, path, true, listener);
    }

    private void files(String what, String volume, String path, boolean deep, FileListener listener)
            throws IOException {
        Sequence sequence = new Sequence(listener, what.equals("bring"));
        request(Map.of("do", what, "volume", volume, "path", path, "deep", deep), sequence);
        sequence.end();
    }

    /** Takes what a frame says. */
    private interface FrameTaker {
        void object(FlatJson json) throws IOException;

        default void bytes(byte[] piece) throws IOException {
            throw new IOException("the reader of files sent bytes of no file");
        }
    }

    private void request(Map<String, ?> request, FrameTaker taker) throws IOException {
        try {
            send(() -> pipes.send('Q', Json.line(request)));
            for (ReaderPipes.Frame frame = next(); frame.letter() != 'E'; frame = next()) {
                switch (frame.letter()) {
                    case 'R' -> answer(ByteBuffer.wrap(frame.body()));
                    case 'J' -> taker.object(FlatJson.parse(frame.body()));
                    case 'D' -> taker.bytes(frame.body());
                    default -> throw new IOException("the reader of files sent a frame that there is not");
                }
            }
        } catch (EOFException e) {
            throw ended(e);
        } catch (IOException e) {
            if (!process.isAlive()) {
                throw ended(e);
            }
            throw e;
        }
    }

    private ReaderPipes.Frame next() throws IOException {
        theirTurnNs = System.nanoTime();
        try {
            return pipes.receive();
        } finally {
            theirTurnNs = Long.MAX_VALUE;
        }
    }

    private void answer(ByteBuffer asked) throws IOException {
        if (asked.remaining() != Long.BYTES + Integer.BYTES) {
            throw new IOException("the reader of files asked for bytes in a form that there is not");
        }
        long offset = asked.getLong();
        int length = asked.getInt();
        if (offset < 0 || length < 0 || length > ReaderPipes.MOST_BYTES || offset > image.size() - length) {
            throw new IOException("the reader of files asked for bytes beyond the image");
        }
        ByteBuffer bytes = ByteBuffer.allocate(length);
        try {
            image.read(offset, bytes);
        } catch (IOException e) {
            send(() -> pipes.send('X', String.valueOf(e.getMessage())));
            return;
        }
        send(() -> pipes.send('B', bytes.array()));
    }

    private interface Sending {
        void send() throws IOException;
    }

    /** What can't be sent has no reader any more: it has ended, or is about to. */
    private void send(Sending what) throws IOException {
        try {
            what.send();
        } catch (IOException e) {
            throw ended(e);
        }
    }

    private IOException ended(IOException cause) {
        if (wasSilent) {
            return new IOException("the reader of files was silent for " + SILENCE.toSeconds()
                    + " s and was ended: the image is damaged or made to do that");
        }
        Optional<Integer> code = exitCode(); // first, since it waits for the last words
        String why = lastError.isEmpty() ? "" : ": " + lastError;
        return new IOException(
                "the reader of files ended"
                        + code.map(value -> " with code " + value).orElse("") + why
                        + (why.contains("bwrap")
                                ? ": where user namespaces are forbidden, --no-sandbox goes without"
                                : ""),
                cause);
    }

    private Optional<Integer> exitCode() {
        try {
            errors.join(TimeUnit.SECONDS.toMillis(2));
            return process.waitFor(2, TimeUnit.SECONDS) ? Optional.of(process.exitValue()) : Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        try {
            pipes.close();
        } catch (IOException e) {
            lastError = String.valueOf(e.getMessage()); // the other side is gone, as it should be
        }
    }

    /** Holds what the other side says to the rules: bytes come behind a file's facts, as many as these said. */
    private static final class Sequence implements FrameTaker {

        private final FileListener listener;
        private final boolean withBytes;
        private String path = "";
        private long left;

        Sequence(FileListener listener, boolean withBytes) {
            this.listener = listener;
            this.withBytes = withBytes;
        }

        @Override
        public void object(FlatJson json) throws IOException {
            if (json.has("error")) {
                left = 0;
                listener.failed(json.text("path"), json.text("error"));
                return;
            }
            end();
            FileFacts facts = FileFacts.of(json);
            path = facts.path();
            left = withBytes && facts.kind() == FileKind.FILE ? facts.size() : 0;
            listener.found(facts);
        }

        @Override
        public void bytes(byte[] piece) throws IOException {
            if (piece.length > left) {
                throw new IOException("the reader of files sent more of " + PlainText.of(path) + " than its size");
            }
            left -= piece.length;
            listener.bytes(ByteBuffer.wrap(piece));
        }

        void end() throws IOException {
            if (left != 0) {
                throw new IOException("the reader of files left out bytes of " + PlainText.of(path));
            }
        }
    }
}
