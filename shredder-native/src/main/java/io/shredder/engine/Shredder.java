// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

import io.shredder.chunk.ChunkingParams;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * START HERE. An engine: owns devices, their buffers and threads, and cuts any number of streams into chunks at once.
 * {@link #chunk} is the whole way of the data (Shredder, FAST 2012, figure 4). A reader thread fills ring buffers, the
 * engine transfers them to the device, the kernels find cuts and digest, and the chunks are handed to the caller's
 * {@link ChunkSink} on the caller's thread. The native half begins at {@code native/pipeline/pipeline.cpp}.
 *
 * <p>Thread-safe. Close it after its streams.
 */
public final class Shredder implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Shredder.class);

    private final NativeHandle handle;
    private final String backendName;
    private final String choice;
    private final ShredderOptions options;

    private Shredder(long address, ShredderOptions options) {
        this.handle = new NativeHandle("engine", address);
        String[] texts = ShredderJni.engineTexts(address);
        this.backendName = texts[0];
        this.choice = texts[1];
        this.options = options;
    }

    /**
     * Opens an engine.
     *
     * @throws InvalidOptionException if an option, or {@code SHREDDER_BACKEND}, has a bad value
     * @throws BackendUnavailableException if the backend or the native library is not there; nothing else is taken
     *     instead
     */
    public static Shredder open(ShredderOptions options) throws ShredderException {
        NativeLibrary.require();
        int[] numbers = {
            options.backend().code(),
            options.device(),
            options.pipelineDepth(),
            options.cpuThreads(),
            options.switches(),
            options.scheduling().code(),
            options.deviceCount()
        };
        byte[] devices = options.devices().getBytes(StandardCharsets.UTF_8);
        long address = ShredderJni.openEngine(options.bufferBytes(), numbers, devices.length == 0 ? null : devices);
        Shredder engine = null;
        try {
            engine = new Shredder(address, options);
        } finally {
            if (engine == null) {
                ShredderJni.closeEngine(address);
            }
        }
        LOG.info("backend {}", engine.choice);
        return engine;
    }

    /** The backends on this machine; looks at the hardware. */
    public static List<BackendStatus> backends() throws BackendUnavailableException {
        NativeLibrary.require();
        String[] texts = ShredderJni.backends();
        List<BackendStatus> backends = new ArrayList<>();
        for (int i = 0; i < texts.length; i += 3) {
            backends.add(new BackendStatus(texts[i], Boolean.parseBoolean(texts[i + 1]), texts[i + 2]));
        }
        return backends;
    }

    /** What scans: {@code scalar}, {@code avx2}, {@code avx512} or {@code cuda}; of a pool all, with plus signs. */
    public String backendName() {
        return backendName;
    }

    /** One line: which backend was chosen, and why. */
    public String backendChoice() {
        return choice;
    }

    /** What the engine runs on and has done so far. */
    public EngineFigures figures() {
        long engine = handle.enter();
        try {
            return EngineFigures.of(ShredderJni.engineFigures(engine));
        } finally {
            handle.leave();
        }
    }

    /** The devices, GPUs first; last, once all have failed, what runs instead of them. */
    public List<EngineFigures.Device> devices() {
        long engine = handle.enter();
        try {
            return EngineFigures.Device.listOf(ShredderJni.engineDevices(engine));
        } finally {
            handle.leave();
        }
    }

    /**
     * Opens a stream to be filled and emptied by hand.
     *
     * @param digests whether to compute fingerprints
     * @throws DeviceException if memory for its ring of buffers is not to be had
     */
    public ChunkStream openStream(ChunkingParams params, boolean digests) throws ShredderException {
        ByteBuffer block = ByteBuffer.allocate(ChunkingParams.ENCODED_BYTES);
        params.write(block);
        long engine = handle.enter();
        ChunkStream stream = null;
        try {
            long address = ShredderJni.openStream(engine, block.array(), digests);
            stream = new ChunkStream(address, digests, options, handle::leave);
            return stream;
        } finally {
            if (stream == null) {
                handle.leave();
            }
        }
    }

    /**
     * Cuts everything that the channel gives into chunks. Returns when the sink has taken the last one. An interrupt of
     * the calling thread ends it, as does an exception of the sink, within a second, even if the source is in a read
     * that doesn't answer interrupts. That read then goes on on its own thread, and what it gets is lost.
     *
     * @param source blocking; read on a thread of its own, not closed (but an abort may interrupt, hence close, it)
     * @param digests whether to compute fingerprints
     * @throws java.io.InterruptedIOException if the thread is interrupted while it waits for chunks; it stays so
     */
    public void chunk(ReadableByteChannel source, ChunkingParams params, boolean digests, ChunkSink sink)
            throws IOException {
        chunk(source, params, digests, 1, sink);
    }

    /**
     * The same with a share of the devices beside the engine's other streams.
     *
     * @param weight as in {@link ChunkStream#weight}
     */
    public void chunk(ReadableByteChannel source, ChunkingParams params, boolean digests, int weight, ChunkSink sink)
            throws IOException {
        try (ChunkStream stream = openStream(params, digests)) {
            stream.weight(weight);
            chunkAndCount(new ChannelSource(source), stream, sink);
        }
    }

    /**
     * Cuts a file, pipe or block device into chunks. It is read natively, by {@link ShredderOptions#readerThreads}
     * threads straight into the ring's buffers; only a path that is not UTF-8, or not of the system's file system, by
     * one Java thread.
     *
     * @throws SourceChangedException if a regular file shrank or grew while it was read; the sink has got chunks by
     *     then
     * @throws InvalidOptionException if the engine was opened with direct reads and the file can't be read so
     * @throws java.io.InterruptedIOException if the thread is interrupted while it waits for chunks; it stays so
     */
    public void chunkFile(Path file, ChunkingParams params, boolean digests, ChunkSink sink) throws IOException {
        Optional<byte[]> path = NativePath.utf8(file);
        if (path.isPresent()) {
            try (ChunkStream opened = openStream(params, digests)) {
                chunkAndCount(stream -> stream.fill(path.get()), opened, sink);
            }
        } else {
            chunkThroughChannel(file, params, digests, sink);
        }
    }

    private void chunkThroughChannel(Path file, ChunkingParams params, boolean digests, ChunkSink sink)
            throws IOException {
        if (options.directReads()) {
            throw new InvalidOptionException(
                    file + " can't be read directly, its path is not one of the system's in UTF-8: leave direct out");
        }
        try (FileChannel channel = openFile(file);
                ChunkStream stream = openStream(params, digests)) {
            ChannelSource source = new ChannelSource(channel);
            if (!Files.isRegularFile(file)) {
                chunkAndCount(source, stream, sink);
                return;
            }
            long sizeBefore = channel.size();
            long bytesRead = chunkAndCount(source, stream, sink);
            if (bytesRead != sizeBefore || channel.size() != sizeBefore) {
                throw new SourceChangedException(file + " changed while it was read: it had " + sizeBefore
                        + " bytes, " + bytesRead + " were read, now it has " + channel.size()
                        + "; chunk it again when nobody writes it");
            }
        }
    }

    /**
     * Ends the engine.
     *
     * @throws IllegalStateException if streams are open
     */
    @Override
    public void close() {
        if (handle.closeIfUnused()) {
            ShredderJni.closeEngine(handle.addressToClose());
        }
    }

    private static long chunkAndCount(SourceReader.Source source, ChunkStream stream, ChunkSink sink)
            throws IOException {
        try (SourceReader reader = SourceReader.start(source, stream)) {
            try {
                store(stream, sink);
            } catch (StreamCancelledException e) {
                reader.throwFailure();
                throw e;
            }
            return reader.bytesRead();
        }
    }

    private static void store(ChunkStream stream, ChunkSink sink) throws IOException {
        InterruptibleStream chunks = new InterruptibleStream(stream);
        for (ChunkBatch batch = chunks.next(); batch != null; batch = chunks.next()) {
            sink.accept(batch);
            stream.release();
        }
    }

    private static FileChannel openFile(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new IOException(file + " is a directory: name a file");
        }
        try {
            return FileChannel.open(file, StandardOpenOption.READ);
        } catch (NoSuchFileException e) {
            throw new IOException(file + " does not exist", e);
        } catch (AccessDeniedException e) {
            throw new IOException(file + " may not be read by this user", e);
        }
    }
}
