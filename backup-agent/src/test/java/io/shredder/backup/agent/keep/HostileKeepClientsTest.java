// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.keep;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.dispersal.Keeper;
import io.shredder.backup.agent.dispersal.home.HeldHome;
import io.shredder.backup.agent.dispersal.home.LocalHome;
import io.shredder.backup.agent.dispersal.shard.Dispersal;
import io.shredder.backup.agent.dispersal.shard.KeeperIdentity;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.Frame;
import io.shredder.backup.wire.FrameInput;
import io.shredder.backup.wire.FrameType;
import io.shredder.backup.wire.KeeperMessage;
import io.shredder.backup.wire.Message;
import io.shredder.backup.wire.Request;
import io.shredder.backup.wire.UpkeepRequest;
import io.shredder.backup.wire.WireFormat;
import io.shredder.backup.wire.keep.KeepFormat;
import io.shredder.backup.wire.keep.KeeperChange;
import io.shredder.backup.wire.keep.KeeperMessageTest;
import io.shredder.backup.wire.keep.KeeperRequest;
import io.shredder.backup.wire.keep.KeptName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whoever has a certificate with the right to keep, and sends what no agent does. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileKeepClientsTest {

    private static final Dispersal STORE = new Dispersal(new UUID(1, 2), 2, 1);
    private static final Message HELLO = new Request.Hello(KeepFormat.MAX_VERSION, "test");

    @TempDir
    private Path folder;

    private final Random random = new Random(Samples.seed());
    private Path kept;
    private KeepSite site;
    private KeepDaemon daemon;

    @BeforeEach
    void start() throws IOException {
        site = new KeepSite(folder.resolve("site"));
        kept = Files.createDirectories(folder.resolve("below/keeper"));
        daemon = site.start(kept);
    }

    @AfterEach
    void stop() throws IOException {
        site.close();
    }

    /** A body of any bytes under a right checksum. */
    private record Raw(FrameType type, byte[] body) implements KeeperMessage {
        @Override
        public int bodyBytes() {
            return body.length;
        }

        @Override
        public void writeBody(ByteBuffer target) {
            target.put(body);
        }
    }

    private static byte[] frame(int id, Message message) {
        ByteBuffer frame = Frame.encode(id, message);
        byte[] bytes = new byte[frame.remaining()];
        frame.get(bytes);
        return bytes;
    }

    /** All that the keeper says until it closes the connection, after these messages. */
    private String reply(Message... messages) throws IOException {
        List<byte[]> frames = new ArrayList<>();
        for (Message message : messages) {
            frames.add(frame(frames.size(), message));
        }
        return reply(frames);
    }

    private String reply(List<byte[]> frames) throws IOException {
        try (SSLSocket socket = site.connect(daemon, "agent1")) {
            for (byte[] frame : frames) {
                socket.getOutputStream().write(frame);
            }
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** The answer to the last of these, which the keeper answers. */
    private Answer.Failure refusal(Message... messages) throws IOException {
        try (SSLSocket socket = site.connect(daemon, "agent1")) {
            assertThat(FrameInput.read(socket.getInputStream()).type()).isEqualTo(FrameType.KEEPER_GREETING);
            for (int id = 0; id < messages.length; id++) {
                socket.getOutputStream().write(frame(id, messages[id]));
            }
            while (true) {
                Frame answer = FrameInput.read(socket.getInputStream());
                if (answer.requestId() == messages.length - 1) {
                    assertThat(answer.type()).isEqualTo(FrameType.ERROR);
                    return (Answer.Failure) answer.answer("keeper");
                }
            }
        }
    }

    @Test
    void whatBreaksTheProtocolEndsTheConnectionWithAWord() throws IOException {
        KeeperRequest names = new KeeperRequest.Plain(FrameType.KEEPER_NAMES);
        assertThat(reply(names)).contains("the first frame is KEEPER_NAMES, not HELLO");
        assertThat(reply(new Request.Hello(2, "test"))).contains("version 2 of the keepers' protocol is not spoken");
        assertThat(reply(HELLO, new Request.Sync())).contains("SYNC is nothing that a keeper is asked");
        assertThat(reply(HELLO, new UpkeepRequest.Delete(List.of(1L)))).contains("DELETE is nothing that a keeper");
        assertThat(reply(HELLO, new Raw(FrameType.KEEPER_DONE, new byte[0])))
                .contains("nothing that a keeper is asked");
        assertThat(reply(HELLO, new Raw(FrameType.KEEPER_OPEN, new byte[] {0, 2, '.', '.'})))
                .contains("'..' is no name of a keeper's file");
        for (int length : new int[] {KeepFormat.MAX_UNHELD_BODY_BYTES * 2, KeepFormat.MAX_BODY_BYTES * 2}) {
            byte[] header = Arrays.copyOf(
                    frame(1, new Raw(FrameType.KEEPER_APPEND, new byte[length])), WireFormat.HEADER_BYTES);
            assertThat(reply(List.of(frame(0, HELLO), header))).contains("a request takes");
        }
    }

    @Test
    void nothingIsDoneForWhoDoesNotHoldTheKeeper() throws IOException {
        for (KeeperRequest request : KeeperMessageTest.requests()) {
            boolean free = Stream.of(FrameType.KEEPER_HOLD, FrameType.KEEPER_READ, FrameType.KEEPER_NAMES)
                    .anyMatch(request.type()::equals);
            if (!free) {
                assertThat(refusal(HELLO, request).text())
                        .as("%s", request)
                        .isEqualTo(request.type() + " by whoever doesn't hold the keeper");
            }
        }
        try (Stream<Path> files = Files.list(kept)) {
            assertThat(files).containsExactly(kept.resolve("lock"));
        }
    }

    @Test
    void filesThatAreNotOpenAndLongOnesAreRefused() throws IOException {
        Files.write(kept.resolve("long"), new byte[KeepFormat.MAX_SMALL_FILE + 1]);
        Message hold = new KeeperRequest.Hold(UUID.randomUUID(), 0);
        assertThat(refusal(HELLO, new KeeperRequest.OfFile(FrameType.KEEPER_READ, new KeptName("long")))
                        .text())
                .contains("too long to be read at once");
        assertThat(refusal(HELLO, hold, hold).text()).contains("holds the keeper already");
        for (Message handle : List.of(
                new KeeperRequest.OfHandle(FrameType.KEEPER_SIZE, 7),
                new KeeperRequest.OfHandle(FrameType.KEEPER_CLOSE, 7),
                new KeeperRequest.ReadAt(7, 0, 1),
                new KeeperChange.Append(0, 7, ByteBuffer.allocate(1)))) {
            Answer.Failure failure = eventually(() -> refusal(HELLO, hold, handle));
            assertThat(failure.text()).as("%s", handle).matches("no file 7 is open.*");
        }
    }

    private interface Refusal {
        Answer.Failure get() throws IOException;
    }

    /** HOLD and what comes behind it are about different files, so the second may be first. */
    private static Answer.Failure eventually(Refusal refusal) throws IOException {
        Answer.Failure failure = refusal.get();
        for (int i = 0; i < 100 && failure.text().contains("doesn't hold"); i++) {
            failure = refusal.get();
        }
        return failure;
    }

    @Test
    void aClientThatIsSilentLosesTheKeeper() throws IOException {
        site.silence(Duration.ofMillis(500));
        KeepDaemon impatient = site.start(Files.createDirectory(folder.resolve("other")));
        try (SSLSocket socket = site.connect(impatient, "agent1")) {
            socket.getOutputStream().write(frame(0, HELLO));
            socket.getOutputStream().write(frame(1, new KeeperRequest.Hold(UUID.randomUUID(), 0)));
            String said = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(said).contains("client agent1 was silent for");
        }
        site.home(impatient, "agent2").hold().close();
    }

    @Test
    void anyBytesLeaveTheKeeperServingAndNothingOutsideItsFolderIsTouched() throws IOException {
        Path secret = Files.write(folder.resolve("secret"), new byte[] {1, 2, 3});
        try (HeldHome held = site.home(daemon, "agent1").hold()) {
            Keeper.make(held, KeeperIdentity.first(STORE, 0), 3);
        }
        for (int round = 0; round < 30; round++) {
            talk(round % 3);
        }
        try (HeldHome held = holdAgain()) {
            Keeper.mend(held, KeeperIdentity.first(STORE, 0), 3);
            held.storage().create("files/sound", ByteBuffer.allocate(5)).close();
            assertThat(held.storage().size("files/sound")).isEqualTo(5);
        }
        assertThat(secret).hasBinaryContent(new byte[] {1, 2, 3});
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("secret", "site", "below");
        }
        try (Stream<Path> files = Files.list(kept.getParent())) {
            assertThat(files).containsExactly(kept);
        }
        assertThat(Keeper.epoch(new LocalHome(kept))).isEqualTo(3);
    }

    /** Whoever fuzzed may still be there for a moment. */
    private HeldHome holdAgain() throws IOException {
        while (daemon.folder().holder().isPresent()) {
            Thread.onSpinWait();
        }
        return site.home(daemon, "agent1").hold();
    }

    private void talk(int kind) throws IOException {
        try (SSLSocket socket = site.connect(daemon, "agent1")) {
            if (kind == 0) {
                socket.getOutputStream().write(Samples.randomBytes(random, random.nextInt(3000)));
            }
            socket.getOutputStream().write(frame(WireFormat.NO_REQUEST, HELLO));
            if (kind == 1) {
                socket.getOutputStream().write(frame(1, new KeeperRequest.Hold(new UUID(3, 4), 0)));
            }
            List<KeeperRequest> requests = KeeperMessageTest.requests();
            for (int i = 2; i < 60; i++) {
                KeeperRequest request = requests.get(random.nextInt(requests.size()));
                byte[] body = new byte[request.bodyBytes()];
                request.writeBody(ByteBuffer.wrap(body));
                for (int flips = random.nextInt(3); flips > 0 && body.length > 0; flips--) {
                    body[random.nextInt(body.length)] ^= (byte) (1 << random.nextInt(8));
                }
                socket.getOutputStream().write(frame(i, new Raw(request.type(), body)));
            }
            socket.shutdownOutput();
            socket.getInputStream().readAllBytes();
        } catch (IOException e) {
            return; // The keeper has hung up before this end was done, which it may.
        }
    }
}
