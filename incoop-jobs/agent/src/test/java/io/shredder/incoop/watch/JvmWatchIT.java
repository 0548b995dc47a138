// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.incoop.watch.deeds.Deeds;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.io.LongWritable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** In a JVM that was started with the agent, whatever a job's class does is seen, and what others do is not. */
class JvmWatchIT {

    private final List<Sight> seen = Collections.synchronizedList(new ArrayList<>());

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "fileInputStream, LOCAL_READ",
        "fileOutputStream, LOCAL_WRITE",
        "randomAccessRead, LOCAL_READ",
        "randomAccessWrite, LOCAL_WRITE",
        "filesRead, LOCAL_READ",
        "filesLines, LOCAL_READ",
        "filesWrite, LOCAL_WRITE",
        "filesCopy, LOCAL_WRITE",
        "filesExists, LOCAL_READ",
        "filesList, LOCAL_READ",
        "filesIsDirectory, LOCAL_LOOK",
        "filesIsRegularFile, LOCAL_LOOK",
        "realPath, LOCAL_READ",
        "canonicalPath, LOCAL_READ",
        "freeSpace, PLACE",
        "fileStore, PLACE",
        "channel, LOCAL_READ",
        "fileExists, LOCAL_LOOK",
        "fileList, LOCAL_READ",
        "fileDelete, LOCAL_WRITE",
        "url, LOCAL_READ",
        "inAnExecutor, LOCAL_READ",
        "inAParallelStream, LOCAL_READ",
        "socket, NETWORK",
        "socketChannel, NETWORK",
        "serverSocket, NETWORK",
        "datagram, NETWORK",
        "localHost, PLACE",
        "process, PROCESS",
        "exec, PROCESS",
        "nativeCode, NATIVE_CODE",
        "environment, PLACE",
        "wholeEnvironment, PLACE",
        "property, JVM_CHANGE",
        "locale, JVM_CHANGE",
        "timeZone, JVM_CHANGE"
    })
    void whatAJobDoesIsSeen(String deed, Sight sight) throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "content");

        runInAJob(deed, file.toString());

        assertThat(seen).contains(sight);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "offsetGet",
                "offsetCompared",
                "offsetEquals",
                "offsetHash",
                "offsetText",
                "offsetByReflection",
                "offsetByHandle"
            })
    void anOffsetThatIsLookedAtIsSeen(String deed) throws Exception {
        LongWritable key = new LongWritable(7);
        JvmWatch.Watching offset = JvmWatch.watchOffset(key, this::see);

        runInAJob(deed, key);
        offset.close();

        assertThat(seen).contains(Sight.PLACE);
    }

    @Test
    void anotherNumberIsNobodysBusiness() throws Exception {
        JvmWatch.Watching offset = JvmWatch.watchOffset(new LongWritable(7), this::see);

        runInAJob("offsetGet", new LongWritable(7));
        offset.close();

        assertThat(seen).isEmpty();
    }

    @Test
    void aJobThatOnlyComputesIsNotSeen() throws Exception {
        runInAJob("nothing", "");

        assertThat(seen).isEmpty();
    }

    @Test
    void whatALogWritesIsNotTheJobsDoing() throws Exception {
        Path file = folder.resolve("file");

        runInAJob("logs", file.toString());

        assertThat(seen).isEmpty();
        assertThat(Path.of(file + ".log")).isNotEmptyFile();
    }

    @Test
    void othersAreNotSeen() throws Exception {
        JvmWatch.Watching watching = JvmWatch.watchLoaders();
        Path file = Files.writeString(folder.resolve("file"), "content");
        Deeds.run("fileInputStream", file.toString());
        Deeds.run("environment", "");
        watching.close();

        assertThat(seen).isEmpty();
    }

    @Test
    void whatMustNotHappenDoesNot() throws Exception {
        Path file = folder.resolve("file");
        Observer refuse = (sight, through, what, by) -> {
            throw new RunPlainly("no " + what);
        };
        JvmWatch.Watching watching = JvmWatch.watchLoaders();
        try {
            assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> load(refuse)
                                    .getMethod("fileOutputStream", Object.class)
                                    .invoke(null, file.toString()))
                            .getCause())
                    .isInstanceOf(RunPlainly.class);
        } finally {
            watching.close();
        }
        assertThat(Path.of(file + ".written")).doesNotExist();
    }

    private void runInAJob(String deed, Object argument) throws Exception {
        JvmWatch.Watching watching = JvmWatch.watchLoaders();
        try {
            load(this::see).getMethod("run", String.class, Object.class).invoke(null, deed, argument);
        } finally {
            watching.close();
        }
    }

    private void see(Sight sight, Object through, String what, Class<?> by) {
        seen.add(sight);
    }

    private static Class<?> load(Observer observer) throws ClassNotFoundException {
        return new Loader(observer).loadClass(Deeds.class.getName());
    }

    private static final class Loader extends ClassLoader implements JobClassLoader {

        private final Observer observer;

        Loader(Observer observer) {
            super(JvmWatchIT.class.getClassLoader());
            this.observer = observer;
        }

        @Override
        public Observer observer() {
            return observer;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(Deeds.class.getName())) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? define(name) : loaded;
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
