// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.keep;

import io.shredder.backup.agent.storage.AppendableFile;
import io.shredder.backup.agent.storage.ReadableFile;
import io.shredder.backup.wire.ErrorCode;
import io.shredder.backup.wire.keep.KeptName;
import java.io.Closeable;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Files that one connection has open. Thread-safe; each file is one thread's at a time. */
final class OpenFiles {

    private static final Logger LOG = LoggerFactory.getLogger(OpenFiles.class);
    private static final int MOST = 4096;

    private final Map<Integer, OpenFile> files = new ConcurrentHashMap<>();
    private final AtomicInteger handles = new AtomicInteger();

    /** One of them. */
    sealed interface OpenFile {
        KeptName name();

        Closeable file();
    }

    /** One that is read. */
    record Reading(KeptName name, ReadableFile file) implements OpenFile {}

    /**
     * One that grows. What failed once is over: requests behind the one that failed may be under way, and would leave a
     * gap.
     */
    static final class Growing implements OpenFile {

        private final KeptName name;
        private final AppendableFile file;
        private boolean failed;

        Growing(KeptName name, AppendableFile file) {
            this.name = name;
            this.file = file;
        }

        /** A step. */
        interface Step {
            void run() throws IOException;
        }

        void orFail(Step step) throws IOException {
            if (failed) {
                throw new IOException("'" + name + "' failed before");
            }
            failed = true;
            step.run();
            failed = false;
        }

        @Override
        public KeptName name() {
            return name;
        }

        @Override
        public AppendableFile file() {
            return file;
        }
    }

    /** Refuses one more than there may be. */
    void requireRoom() throws KeepRefusal {
        if (files.size() >= MOST) {
            throw new KeepRefusal(ErrorCode.INVALID, "more than " + MOST + " files are open: close some");
        }
    }

    /** Takes a file, which is closed with the connection at the latest. */
    int add(OpenFile file) {
        int handle = handles.incrementAndGet();
        files.put(handle, file);
        return handle;
    }

    Optional<OpenFile> find(int handle) {
        return Optional.ofNullable(files.get(handle));
    }

    Reading reading(int handle) throws KeepRefusal {
        if (files.get(handle) instanceof Reading reading) {
            return reading;
        }
        throw new KeepRefusal(ErrorCode.INVALID, "no file " + handle + " is open to read");
    }

    Growing growing(int handle) throws KeepRefusal {
        if (files.get(handle) instanceof Growing growing) {
            return growing;
        }
        throw new KeepRefusal(ErrorCode.INVALID, "no file " + handle + " is open to grow");
    }

    void close(int handle) throws IOException {
        OpenFile file = files.remove(handle);
        if (file == null) {
            throw new KeepRefusal(ErrorCode.INVALID, "no file " + handle + " is open");
        }
        file.file().close();
    }

    void closeAll() {
        files.forEach((handle, file) -> {
            try {
                file.file().close();
            } catch (IOException e) {
                LOG.warn("'{}' could not be closed: {}", file.name(), e.getMessage());
            }
        });
        files.clear();
    }
}
