// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.audit;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.backup.agent.file.DurableFiles;
import io.shredder.backup.agent.file.SpaceReserve;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Appends a line of JSON for every deletion, durably, before it is done: what went can be told afterwards, and a line whose deletion a
 * crash prevented does no harm. Safe for any number of threads.
 */
public final class AuditLog implements Closeable {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final FileChannel channel;
    private final Clock clock;
    private final SpaceReserve reserve;

    private AuditLog(FileChannel channel, Clock clock, SpaceReserve reserve) {
        this.channel = channel;
        this.clock = clock;
        this.reserve = reserve;
    }

    /**
     * Opens the log; a half line that a crash left is ended, never changed.
     *
     * @param reserve given back if the disk is too full for a line
     */
    public static AuditLog open(Path file, Clock clock, SpaceReserve reserve) throws IOException {
        FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
        try {
            AuditLog log = new AuditLog(channel, clock, reserve);
            DurableFiles.forceFolder(DurableFiles.folderOf(file));
            log.endHalfLine();
            return log;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private void endHalfLine() throws IOException {
        long size = channel.size();
        ByteBuffer last = ByteBuffer.allocate(1);
        if (size > 0) {
            DurableFiles.readFully(channel, last, size - 1);
        }
        if (size > 0 && last.get(0) != '\n') {
            append(ByteBuffer.wrap(new byte[] {'\n'}));
        }
    }

    /**
     * Writes a line; it is on disk when this returns.
     *
     * @param event what is going to happen
     * @param fields its circumstances, in this order
     */
    public synchronized void record(String event, Map<String, ?> fields) throws IOException {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("time", clock.instant().toString());
        line.put("event", event);
        line.putAll(fields);
        append(ByteBuffer.wrap((MAPPER.writeValueAsString(line) + "\n").getBytes(StandardCharsets.UTF_8)));
    }

    private void append(ByteBuffer line) throws IOException {
        reserve.withRoom(() -> {
            long end = channel.size();
            try {
                DurableFiles.writeFully(channel, line.duplicate(), end);
                channel.force(true);
            } catch (IOException e) {
                channel.truncate(end);
                throw e;
            }
        });
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
