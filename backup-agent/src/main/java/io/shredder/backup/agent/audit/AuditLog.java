// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.audit;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.backup.agent.file.DurableFiles;
import io.shredder.backup.agent.file.SpaceReserve;
import io.shredder.backup.snapshot.AuditPosition;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Appends a line of JSON for every deletion, durably, before it is done: what went can be told afterwards, and a line
 * whose deletion a crash prevented does no harm. Each line ends with a digest of everything before it
 * ({@link AuditChain}), so a later change is seen. Safe for any number of threads.
 */
public final class AuditLog implements Closeable {

    private static final int READ_BYTES = 1 << 16;

    private final Path file;
    private final FileChannel channel;
    private final Clock clock;
    private final SpaceReserve reserve;
    private final LatestRefusals refusals = new LatestRefusals();
    private AuditChain chain = new AuditChain();

    /** Loaded with the first line: whoever only reads a repository has none, and starts sooner. */
    private static final class Json {
        static final ObjectMapper MAPPER = new ObjectMapper();
    }

    private AuditLog(Path file, FileChannel channel, Clock clock, SpaceReserve reserve) {
        this.file = file;
        this.channel = channel;
        this.clock = clock;
        this.reserve = reserve;
    }

    /**
     * Opens the log; what a crash left of a line, or lines of a version without digests, are followed by one that says
     * so, never changed.
     *
     * @param reserve given back if the disk is too full for a line
     */
    public static AuditLog open(Path file, Clock clock, SpaceReserve reserve) throws IOException {
        FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
        try {
            AuditLog log = new AuditLog(file, channel, clock, reserve);
            DurableFiles.forceFolder(DurableFiles.folderOf(file));
            log.chain = log.read();
            if (log.chain.isEmpty()) {
                log.record("log-begun", Map.of());
            } else if (log.chain.needsContinuing()) {
                log.record(AuditChain.CONTINUED, Map.of());
            }
            return log;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private AuditChain read() throws IOException {
        AuditChain read = new AuditChain();
        ByteBuffer buffer = ByteBuffer.allocate(READ_BYTES);
        long end = channel.size();
        for (long at = 0; at < end; at += buffer.limit()) {
            buffer.clear().limit((int) Math.min(READ_BYTES, end - at));
            DurableFiles.readFully(channel, buffer, at);
            read.add(Arrays.copyOf(buffer.array(), buffer.limit()));
        }
        return read;
    }

    /** Reads the log again; what is wrong with it, a line each with file and offset. */
    public synchronized List<String> problems() throws IOException {
        return read().problems(String.valueOf(file.getFileName()));
    }

    /**
     * Writes a line; it is on disk when this returns.
     *
     * @param event what is going to happen
     * @param fields its circumstances, in this order
     */
    public synchronized void record(String event, Map<String, ?> fields) throws IOException {
        reserve.withRoom(() -> write(event, fields));
    }

    /**
     * Writes down that a client was refused something, once a minute for each kind of request. The reserve is for those
     * who may delete: on a full disk nothing is written.
     *
     * @param request its kind
     */
    public synchronized void refused(String client, String namespace, String request) throws IOException {
        if (refusals.isDue(client, request, clock.instant())) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("client", client);
            line.put("namespace", namespace);
            line.put("request", request);
            write("refused", line);
        }
    }

    private void write(String event, Map<String, ?> fields) throws IOException {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("time", clock.instant().toString());
        line.put("event", event);
        line.putAll(fields);
        AuditChain longer = chain.copy();
        byte[] ended = longer.end(Json.MAPPER.writeValueAsString(line).getBytes(StandardCharsets.UTF_8));
        append(ByteBuffer.wrap(ended));
        chain = longer;
    }

    /** Where the log ends, and the digest of all before. */
    public synchronized AuditPosition end() {
        return chain.position();
    }

    /** The position at the end of a line; {@link AuditPosition#NONE} if no line ends there. */
    public synchronized AuditPosition at(long offset) throws IOException {
        if (offset < AuditChain.POSITION_TAIL_BYTES || offset > channel.size()) {
            return AuditPosition.NONE;
        }
        ByteBuffer tail = ByteBuffer.allocate(AuditChain.POSITION_TAIL_BYTES);
        DurableFiles.readFully(channel, tail, offset - tail.capacity());
        return AuditChain.position(offset, tail.flip());
    }

    /**
     * Bytes of the log that end at an offset, the last of them whole lines.
     *
     * @param before where they end; what was written since begins there
     * @param most bytes
     * @return fewer than {@code most} only at the log's beginning
     */
    public ByteBuffer tail(long before, int most) throws IOException {
        long end = Math.min(before, end().offset());
        ByteBuffer tail = ByteBuffer.allocate((int) Math.min(most, end));
        DurableFiles.readFully(channel, tail, end - tail.capacity());
        return tail.flip();
    }

    private void append(ByteBuffer line) throws IOException {
        long end = channel.size();
        try {
            DurableFiles.writeFully(channel, line, end);
            channel.force(true);
        } catch (IOException e) {
            channel.truncate(end);
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
