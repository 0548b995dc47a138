// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.chunk.Chunk;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import io.shredder.chunk.ReferenceChunker;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EngineTest {

    private static final ChunkingParams PARAMS = ChunkingParams.ofAverage(1 << 10);

    @ParameterizedTest
    @MethodSource("io.shredder.engine.EngineTests#availableBackends")
    void theBackendThatWasAskedForIsTheOneThatScans(Backend backend) throws Exception {
        try (Shredder engine = EngineTests.open(backend, 4096)) {
            EngineTests.chunks(engine, PARAMS, new byte[50_000]);

            assertThat(engine.backendName()).isEqualTo(backend.optionName());
            assertThat(engine.backendChoice()).contains("asked for");
            assertThat(engine.figures().bytesScanned()).isEqualTo(50_000);
        }
    }

    @ParameterizedTest
    @MethodSource("io.shredder.engine.EngineTests#availableBackends")
    void everyBackendAgreesWithTheReferenceOnRandomInput(Backend backend) throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 10; round++) {
            byte[] data = new byte[random.nextInt(300_000)];
            random.nextBytes(data);
            ChunkingParams params = ChunkingParams.builder()
                    .averageBytes(1 << (6 + round))
                    .digest(random.nextBoolean() ? DigestAlgorithm.SHA_256 : DigestAlgorithm.BLAKE3)
                    .build();
            try (Shredder engine = EngineTests.open(backend, 4096 << random.nextInt(4))) {
                assertThat(EngineTests.chunks(engine, params, data)).isEqualTo(ReferenceChunker.chunk(params, data));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.shredder.engine.EngineTests#availableBackends")
    void noOptimisationSchedulingOrNumberOfDevicesChangesTheChunks(Backend backend) throws Exception {
        byte[] data = new byte[300_000];
        new Random(8).nextBytes(data);
        List<Chunk> expected = ReferenceChunker.chunk(PARAMS, data);
        for (Optimisation without : Optimisation.values()) {
            for (Scheduling scheduling : Scheduling.values()) {
                ShredderOptions options = ShredderOptions.builder()
                        .backend(backend)
                        .bufferBytes(8192)
                        .pipelineDepth(2)
                        .deviceCount(2)
                        .scheduling(scheduling)
                        .without(EnumSet.of(without))
                        .build();
                try (Shredder engine = Shredder.open(options)) {
                    assertThat(EngineTests.chunks(engine, PARAMS, data))
                            .as("%s", options)
                            .isEqualTo(expected);
                    assertThat(engine.figures().devicesFailed()).isZero();
                }
            }
        }
    }

    @Test
    void aPoolOfSeveralKindsGivesTheSameChunksWhateverThePolicy() throws Exception {
        byte[] data = new byte[300_000];
        new Random(9).nextBytes(data);
        List<Chunk> expected = ReferenceChunker.chunk(PARAMS, data);
        for (Scheduling scheduling : Scheduling.values()) {
            ShredderOptions options = ShredderOptions.builder()
                    .devices("scalar*1,cpu*1")
                    .bufferBytes(8192)
                    .scheduling(Scheduling.parse(scheduling.optionName()))
                    .build();
            try (Shredder engine = Shredder.open(options)) {
                assertThat(EngineTests.chunks(engine, PARAMS, data))
                        .as("%s", scheduling)
                        .isEqualTo(expected);
                assertThat(engine.backendName()).startsWith("scalar+");
                assertThat(engine.devices())
                        .hasSize(2)
                        .noneMatch(EngineFigures.Device::failed)
                        .allMatch(device -> device.bytesScanned() == 0 || device.bytesPerSecond() > 0);
                assertThat(engine.devices().stream()
                                .mapToLong(EngineFigures.Device::bytesScanned)
                                .sum())
                        .isEqualTo(data.length);
            }
        }
    }

    @Test
    void aBadPoolOrWeightIsNamed() throws Exception {
        assertThatThrownBy(() -> Shredder.open(
                        ShredderOptions.builder().devices("cpu,gpu").build()))
                .isInstanceOf(InvalidOptionException.class)
                .hasMessageContaining("device 'gpu' of the pool");
        assertThatThrownBy(() -> ShredderOptions.builder()
                        .devices("cpu")
                        .backend(Backend.SCALAR)
                        .build())
                .isInstanceOf(InvalidOptionException.class)
                .hasMessageContaining("go without a backend");
        assertThatThrownBy(() -> Scheduling.parse("fastest"))
                .isInstanceOf(InvalidOptionException.class)
                .hasMessageContaining("least-work");
        for (String bad : List.of("", "gpu", "cuda,", "cpu:1", "cuda*2", "auto,cpu", "cpu*0", "cpu cuda")) {
            assertThatThrownBy(() -> ShredderOptions.Devices.parse(bad))
                    .as(bad)
                    .isInstanceOf(InvalidOptionException.class)
                    .hasMessageContaining("unknown backend '" + bad + "'");
        }
        assertThat(ShredderOptions.Devices.parse("avx2")).isEqualTo(new ShredderOptions.Devices(Backend.AVX2, ""));
        assertThat(ShredderOptions.Devices.parse("cuda:1").pool()).isEqualTo("cuda:1");
        try (Shredder engine = EngineTests.open(Backend.SCALAR, 4096);
                ChunkStream stream = engine.openStream(PARAMS, true)) {
            stream.weight(1000);
            assertThatThrownBy(() -> stream.weight(0))
                    .isInstanceOf(InvalidOptionException.class)
                    .hasMessageContaining("1 to 1000");
        }
    }

    @Test
    void figuresSayWhatTheEngineUses() throws Exception {
        ShredderOptions options = ShredderOptions.builder()
                .backend(Backend.SCALAR)
                .bufferBytes(16 << 10)
                .pipelineDepth(3)
                .deviceCount(2)
                .build();
        try (Shredder engine = Shredder.open(options)) {
            EngineTests.chunks(engine, PARAMS, new byte[200_000]);
            EngineFigures figures = engine.figures();
            assertThat(figures.devices()).isEqualTo(2);
            assertThat(figures.devicesFailed()).isZero();
            assertThat(figures.pipelineDepth()).isEqualTo(3);
            assertThat(figures.bufferBytes()).isEqualTo(16 << 10);
            assertThat(figures.bytesScanned()).isEqualTo(200_000);
            assertThat(figures.hostBytes()).isBetween(16L << 10, 4L << 20);
            assertThat(figures.pinnedBytes()).isZero();
        }
    }

    @Test
    void aBatchGivesEachChunksBytesContiguouslyAndReadOnly() throws Exception {
        byte[] data = new byte[200_000];
        new Random(5).nextBytes(data);
        try (Shredder engine = EngineTests.open(Backend.CPU, 4096)) {
            engine.chunk(EngineTests.channel(data), PARAMS, true, batch -> {
                for (int i = 0; i < batch.count(); i++) {
                    ByteBuffer bytes = batch.data(i);
                    assertThat(bytes.isReadOnly()).isTrue();
                    assertThat(bytes).isEqualTo(ByteBuffer.wrap(data).slice((int) batch.offset(i), batch.length(i)));
                    assertThat(Fingerprint.ofData(bytes)).isEqualTo(batch.fingerprint(i));
                }
            });
        }
    }

    @Test
    void aBatchesFieldsAreThereWithoutAnObjectForEachChunk() throws Exception {
        byte[] data = new byte[100_000];
        new Random(7).nextBytes(data);
        try (Shredder engine = EngineTests.open(Backend.CPU, 16 << 10)) {
            engine.chunk(EngineTests.channel(data), PARAMS, true, batch -> {
                byte[] array = new byte[Fingerprint.BYTES + 3];
                for (int i = 0; i < batch.count(); i++) {
                    assertThat(batch.data().slice(batch.dataOffset(i), batch.length(i)))
                            .isEqualTo(batch.data(i));
                    batch.copyFingerprint(i, array, 3);
                    assertThat(Fingerprint.read(ByteBuffer.wrap(array, 3, Fingerprint.BYTES)))
                            .isEqualTo(batch.fingerprint(i));
                    for (ByteOrder order : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
                        ByteBuffer buffer = ByteBuffer.allocate(40).order(order).position(5);
                        batch.copyFingerprint(i, buffer);
                        assertThat(buffer.position()).isEqualTo(37);
                        assertThat(Fingerprint.read(buffer.position(5))).isEqualTo(batch.fingerprint(i));
                    }
                    int chunk = i;
                    assertThatThrownBy(() -> batch.copyFingerprint(chunk, ByteBuffer.allocate(31)))
                            .isInstanceOf(IllegalArgumentException.class);
                }
                assertThatThrownBy(() -> batch.length(batch.count())).isInstanceOf(IndexOutOfBoundsException.class);
            });
        }
    }

    @Test
    void withoutDigestsTheCutsAreTheSameAndFingerprintsAreRefused() throws Exception {
        byte[] data = new byte[100_000];
        new Random(6).nextBytes(data);
        List<Integer> lengths = new ArrayList<>();
        try (Shredder engine = EngineTests.open(Backend.CPU, 8192)) {
            engine.chunk(EngineTests.channel(data), PARAMS, false, batch -> {
                for (int i = 0; i < batch.count(); i++) {
                    lengths.add(batch.length(i));
                }
                assertThatThrownBy(() -> batch.fingerprint(0)).isInstanceOf(IllegalStateException.class);
            });
        }
        assertThat(lengths)
                .isEqualTo(ReferenceChunker.chunk(PARAMS, data).stream()
                        .map(Chunk::length)
                        .toList());
    }

    @Test
    void anEmptyStreamHasNoChunks() throws Exception {
        try (Shredder engine = EngineTests.open(Backend.CPU, 4096)) {
            assertThat(EngineTests.chunks(engine, PARAMS, new byte[0])).isEmpty();
        }
    }

    @Test
    void aSourcesErrorReachesTheCaller() throws Exception {
        InputStream broken = new InputStream() {
            private int bytesLeft = 10_000;

            @Override
            public int read() throws IOException {
                if (bytesLeft == 0) {
                    throw new IOException("the disk is gone");
                }
                bytesLeft--;
                return 1;
            }
        };
        try (Shredder engine = EngineTests.open(Backend.CPU, 4096)) {
            assertThatThrownBy(() -> engine.chunk(Channels.newChannel(broken), PARAMS, true, batch -> {}))
                    .isInstanceOf(IOException.class)
                    .hasMessage("the disk is gone");
        }
    }

    @Test
    void aSinksErrorEndsTheChunkingAndReachesTheCaller() throws Exception {
        InputStream endless = new InputStream() {
            @Override
            public int read() {
                return 0;
            }
        };
        try (Shredder engine = EngineTests.open(Backend.CPU, 4096)) {
            assertThatThrownBy(() -> engine.chunk(Channels.newChannel(endless), PARAMS, true, batch -> {
                        throw new IOException("no room");
                    }))
                    .hasMessage("no room");
            assertThat(EngineTests.chunks(engine, PARAMS, new byte[1])).hasSize(1);
        }
    }

    @Test
    void cancelWakesAReaderThatWaits() throws Exception {
        try (Shredder engine = EngineTests.open(Backend.CPU, 4096);
                ChunkStream stream = engine.openStream(PARAMS, true)) {
            CountDownLatch woken = new CountDownLatch(1);
            Thread reader = new Thread(() -> {
                try {
                    for (; ; ) {
                        stream.submit(stream.acquire().limit(100).position(100));
                    }
                } catch (StreamCancelledException e) {
                    woken.countDown();
                } catch (ShredderException e) {
                    throw new IllegalStateException(e);
                }
            });
            reader.start();
            stream.cancel();
            woken.await();
            assertThatThrownBy(stream::next).isInstanceOf(StreamCancelledException.class);
            reader.join();
        }
    }

    @Test
    void manyStreamsRunAtOnceOnOneEngine() throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(6);
        try (Shredder engine = EngineTests.open(Backend.CPU, 8192)) {
            List<Callable<Void>> tasks = new ArrayList<>();
            for (int seed = 0; seed < 12; seed++) {
                byte[] data = new byte[150_000 + 1000 * seed];
                new Random(seed).nextBytes(data);
                tasks.add(() -> {
                    assertThat(EngineTests.chunks(engine, PARAMS, data))
                            .isEqualTo(ReferenceChunker.chunk(PARAMS, data));
                    return null;
                });
            }
            for (Future<Void> done : callers.invokeAll(tasks)) {
                done.get();
            }
        } finally {
            callers.shutdown();
        }
    }

    @Test
    void aClosedStreamAndEngineRefuseCallsAndAnEngineInUseRefusesToClose() throws Exception {
        Shredder engine = EngineTests.open(Backend.SCALAR, 4096);
        ChunkStream stream = engine.openStream(PARAMS, true);
        assertThatThrownBy(engine::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("close its streams first");
        stream.close();
        stream.close();
        assertThatThrownBy(stream::next).isInstanceOf(IllegalStateException.class);
        engine.close();
        engine.close();
        assertThatThrownBy(() -> engine.openStream(PARAMS, true)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aReleasedBatchIsRefused() throws Exception {
        List<ChunkBatch> kept = new ArrayList<>();
        try (Shredder engine = EngineTests.open(Backend.SCALAR, 4096)) {
            ReadableByteChannel source = Channels.newChannel(new ByteArrayInputStream(new byte[10_000]));
            engine.chunk(source, PARAMS, true, kept::add);
        }
        assertThat(kept).isNotEmpty();
        assertThatThrownBy(() -> kept.get(0).length(0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> kept.get(0).data(0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> kept.get(0).data()).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aBackendThatIsNotThereIsNeverReplaced() throws Exception {
        for (BackendStatus status : Shredder.backends()) {
            if (!status.available()) {
                assertThatThrownBy(() -> Shredder.open(ShredderOptions.of(Backend.parse(status.name()))))
                        .isInstanceOf(BackendUnavailableException.class)
                        .hasMessageContaining(status.name())
                        .hasMessageContaining(status.detail());
            }
        }
    }

    @Test
    void badOptionsAreNamedAllAtOnce() {
        assertThatThrownBy(() -> ShredderOptions.builder()
                        .bufferBytes(10)
                        .pipelineDepth(99)
                        .device(-3)
                        .readerThreads(300)
                        .deviceCount(-1)
                        .build())
                .isInstanceOf(InvalidOptionException.class)
                .hasMessageContainingAll(
                        "bufferBytes 10", "pipelineDepth 99", "device -3", "readerThreads 300", "deviceCount -1");
        assertThatThrownBy(() -> Backend.parse("gpu"))
                .isInstanceOf(InvalidOptionException.class)
                .hasMessageContainingAll("gpu", "auto, cpu, scalar, avx2, avx512, cuda");
    }

    @Test
    void aLibraryOfAnotherAbiIsRefused() {
        assertThat(NativeLibrary.abiProblem(ShredderJni.ABI_VERSION)).isNull();
        assertThat(NativeLibrary.abiProblem(99)).contains("99", "one build");
    }
}
