// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.Frame;
import io.shredder.backup.wire.FrameDecoder;
import io.shredder.backup.wire.FrameType;
import io.shredder.backup.wire.HostPort;
import io.shredder.backup.wire.TlsFiles;
import io.shredder.backup.wire.Window;
import io.shredder.backup.wire.WireFormat;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What an agent may say, and what one may not that means no good. */
class AnswerHandlerTest {

    private final List<Integer> windows = new ArrayList<>();
    private final AnswerHandler answers = new AnswerHandler(
            "agent",
            new ConnectionErrors(
                    new HostPort("agent", 1), new TlsFiles(Path.of("a.crt"), Path.of("a.key"), Path.of("ca.crt"))),
            word -> {},
            windows::add);
    private final EmbeddedChannel channel = new EmbeddedChannel(new FrameDecoder("agent"), answers);

    private void say(int request, Answer answer) {
        channel.writeInbound(Unpooled.wrappedBuffer(Frame.encode(request, answer)));
    }

    @Test
    void windowsComeBetweenAnswersAndBelongToNone() {
        CompletableFuture<Answer> done = answers.expect(7, FrameType.SYNC);
        say(WireFormat.NO_REQUEST, new Window(1 << 20));
        say(WireFormat.NO_REQUEST, new Window(1));
        assertThat(done).isNotDone();
        say(7, new Answer.Done());
        assertThat(done).isCompletedWithValue(new Answer.Done());
        assertThat(windows).containsExactly(1 << 20, 1);
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void aWindowOfNothingEndsTheConnection() {
        CompletableFuture<Answer> waits = answers.expect(7, FrameType.SYNC);
        say(WireFormat.NO_REQUEST, new Window(0));
        assertEnds(waits, "a window of 0 bytes");
    }

    @Test
    void aWindowThatAnswersNoRequestEndsTheConnection() {
        CompletableFuture<Answer> waits = answers.expect(7, FrameType.SYNC);
        say(8, new Window(1 << 20));
        assertEnds(waits, "an answer to request 8, which waits for none");
    }

    @Test
    void aWindowInPlaceOfAnAnswerIsNone() {
        CompletableFuture<Answer> waits = answers.expect(7, FrameType.SYNC);
        say(7, new Window(1 << 20));
        assertThat(windows).isEmpty();
        assertThatThrownBy(() -> Answers.await(waits.thenApply(answer -> Answers.expect(answer, Answer.Done.class))))
                .isInstanceOf(AgentException.class)
                .hasMessageContaining("the agent answered WINDOW where Done was due");
    }

    private void assertEnds(CompletableFuture<Answer> waits, String why) {
        assertThat(windows).isEmpty();
        assertThat(channel.isOpen()).isFalse();
        assertThatThrownBy(() -> Answers.await(waits))
                .isInstanceOfSatisfying(
                        AgentException.class, e -> assertThat(e.kind()).isEqualTo(AgentException.Kind.PROTOCOL))
                .hasMessageContaining(why);
    }
}
