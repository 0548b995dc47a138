// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import java.io.EOFException;
import java.io.IOException;
import java.io.NotActiveException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A folder in memory that remembers what was forced. Its power can be lost at any call that changes something, and then
 * of everything that was not forced any part may be left: names in any order, and of writes any sectors. Or a call
 * fails once and the rest goes on.
 */
final class FaultyFolder implements IndexFolder {

    private static final int SECTOR_BYTES = 512;

    /** Thrown by every call once the power is gone. */
    static final class PowerLoss extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** A change of names that may not be durable yet; {@code to} is null for a deletion. */
    private record NameChange(String from, String to, Content content) {}

    /** A file's bytes, now and as forced. */
    private static final class Content {
        private byte[] now = new byte[0];
        private byte[] forced = new byte[0];
    }

    private final Map<String, Content> names = new HashMap<>();
    private final Map<String, Content> forcedNames = new HashMap<>();
    private final List<NameChange> changes = new ArrayList<>();
    private int calls;
    private int losesPowerAt = Integer.MAX_VALUE;
    private int failsAt = Integer.MAX_VALUE;

    /** The power goes at that call, from 0, and stays away. */
    void losePowerAt(int call) {
        losesPowerAt = calls + call;
    }

    /** That call, from 0, fails, as on a full disk; what it would have changed stays. */
    void failAt(int call) {
        failsAt = calls + call;
    }

    /** How many calls that change something there were. */
    int calls() {
        return calls;
    }

    private void change() throws IOException {
        if (calls >= losesPowerAt) {
            throw new PowerLoss();
        }
        if (calls++ == failsAt) {
            throw new NotActiveException("No space left on device");
        }
    }

    /** What a disk may hold after a power loss: {@code random} chooses, null keeps only what was forced. */
    FaultyFolder afterLoss(Random random) {
        FaultyFolder after = new FaultyFolder();
        Map<String, Content> left = new HashMap<>(forcedNames);
        for (NameChange change : changes) {
            if (random != null && random.nextBoolean()) {
                apply(change, left);
            }
        }
        left.forEach((name, content) -> {
            Content kept = new Content();
            kept.now = random == null ? content.forced.clone() : torn(content, random);
            kept.forced = kept.now.clone();
            after.names.put(name, kept);
        });
        after.forcedNames.putAll(after.names);
        return after;
    }

    private static void apply(NameChange change, Map<String, Content> names) {
        names.remove(change.from);
        if (change.to != null) {
            names.put(change.to, change.content);
        }
    }

    private static byte[] torn(Content content, Random random) {
        int how = random.nextInt(3);
        if (how == 0) {
            return content.now.clone();
        }
        int longest = Math.max(content.now.length, content.forced.length);
        int shortest = Math.min(content.now.length, content.forced.length);
        int length = shortest + (longest > shortest ? random.nextInt(longest - shortest + 1) : 0);
        byte[] left = Arrays.copyOf(content.forced, length);
        for (int at = 0; at < length; at += SECTOR_BYTES) {
            int end = Math.min(Math.min(at + SECTOR_BYTES, length), content.now.length);
            if (end > at && (how == 1 || random.nextBoolean())) {
                System.arraycopy(content.now, at, left, at, end - at);
            }
        }
        return left;
    }

    @Override
    public List<String> names() {
        return List.copyOf(names.keySet());
    }

    @Override
    public File create(String name) throws IOException {
        change();
        Content content = names.get(name);
        if (content == null) {
            content = new Content();
            names.put(name, content);
            changes.add(new NameChange(name, name, content));
        }
        content.now = new byte[0];
        return new MemoryFile(content);
    }

    @Override
    public File open(String name) {
        return new MemoryFile(names.get(name));
    }

    @Override
    public void rename(String from, String to) throws IOException {
        change();
        NameChange change = new NameChange(from, to, names.get(from));
        apply(change, names);
        changes.add(change);
    }

    @Override
    public void delete(String name) throws IOException {
        change();
        names.remove(name);
        changes.add(new NameChange(name, null, null));
    }

    @Override
    public void force() throws IOException {
        change();
        forcedNames.clear();
        forcedNames.putAll(names);
        changes.clear();
    }

    private final class MemoryFile implements File {

        private final Content content;

        private MemoryFile(Content content) {
            this.content = content;
        }

        @Override
        public long size() {
            return content.now.length;
        }

        @Override
        public void read(ByteBuffer target, long offset) throws IOException {
            if (offset + target.remaining() > content.now.length) {
                throw new EOFException();
            }
            target.put(content.now, (int) offset, target.remaining());
        }

        @Override
        public void write(ByteBuffer bytes, long offset) throws IOException {
            change();
            int end = (int) offset + bytes.remaining();
            if (end > content.now.length) {
                content.now = Arrays.copyOf(content.now, end);
            } else {
                content.now = content.now.clone();
            }
            bytes.get(content.now, (int) offset, bytes.remaining());
        }

        @Override
        public void truncate(long size) throws IOException {
            change();
            content.now = Arrays.copyOf(content.now, (int) Math.min(size, content.now.length));
        }

        @Override
        public void force() throws IOException {
            change();
            content.forced = content.now.clone();
        }

        @Override
        public void close() {}
    }
}
