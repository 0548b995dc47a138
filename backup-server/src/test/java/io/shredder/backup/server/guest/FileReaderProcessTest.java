// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A reader that a hostile image has taken over may say anything. Readers here are shell scripts that do. */
class FileReaderProcessTest {

    private static final String END = "E\\000\\000\\000\\000";

    @TempDir
    private Path temp;

    private final List<String> told = new ArrayList<>();

    @Test
    void filesAreToldWithTheirBytes() throws Exception {
        list(END + object("'path':'/a','type':'file','size':3," + REST) + "D\\000\\000\\000\\003abc" + END);
        assertThat(told).containsExactly("/a FILE 3", "3 bytes");
    }

    @Test
    void moreBytesThanAFileHasAreRefused() {
        assertThatThrownBy(() -> list(
                        END + object("'path':'/a','type':'file','size':2," + REST) + "D\\000\\000\\000\\003abc" + END))
                .hasMessageContaining("more of /a than its size");
    }

    @Test
    void fewerBytesThanAFileHasAreRefused() {
        assertThatThrownBy(() -> list(END + object("'path':'/a','type':'file','size':2," + REST) + END))
                .hasMessageContaining("left out bytes of /a");
    }

    @Test
    void bytesOfNoFileAreRefused() {
        assertThatThrownBy(() -> list(END + "D\\000\\000\\000\\003abc" + END)).hasMessageContaining("than its size");
    }

    @Test
    void aFrameLongerThanAnyIsRefusedBeforeItIsRead() {
        assertThatThrownBy(() -> list("J\\177\\377\\377\\377")).hasMessageContaining("frame of 2147483647 bytes");
        assertThatThrownBy(() -> list("J\\377\\377\\377\\377")).hasMessageContaining("frame of 4294967295 bytes");
    }

    @Test
    void bytesBeyondTheImageAreNotToBeHad() {
        String negative = "\\377\\377\\377\\377\\377\\377\\377\\377";
        assertThatThrownBy(() -> list("R\\000\\000\\000\\014" + negative + "\\000\\000\\000\\001"))
                .hasMessageContaining("beyond the image");
        assertThatThrownBy(
                        () -> list("R\\000\\000\\000\\014\\000\\000\\000\\000\\000\\000\\020\\000\\000\\000\\000\\001"))
                .hasMessageContaining("beyond the image");
        assertThatThrownBy(() -> list("R\\000\\000\\000\\001\\000")).hasMessageContaining("in a form");
    }

    @Test
    void whatIsNoObjectOrLacksAFieldIsRefused() {
        assertThatThrownBy(() -> list(END + object("'path':7"))).hasMessageContaining("'type'");
        assertThatThrownBy(() -> list(END + object("'a':{}"))).hasMessageContaining("form");
        assertThatThrownBy(() -> list(END + "J\\000\\000\\000\\002[]")).hasMessageContaining("no object");
        assertThatThrownBy(() -> list(END + object("'path':'/a','type':'file','size':-1," + REST)))
                .hasMessageContaining("negative size");
        assertThatThrownBy(() -> list(END + object("'path':'/a','type':'oddity','size':1," + REST)))
                .hasMessageContaining("kind of file");
        assertThatThrownBy(() -> list("Z\\000\\000\\000\\000")).hasMessageContaining("frame that there is not");
    }

    @Test
    void aReaderThatEndsSaysWhatItSaidLast() {
        assertThatThrownBy(() -> list("", "echo no memory >&2; exit 7"))
                .hasMessageContaining("ended")
                .hasMessageContaining("no memory");
    }

    @Test
    void theReadersProgramIsInTheJarAndParses() throws Exception {
        Path file = Files.write(temp.resolve("file_reader.py"), ReaderProgram.source());
        String parse = "import ast, sys; ast.parse(open(sys.argv[1]).read())";
        Process compiler = new ProcessBuilder("python3", "-I", "-c", parse, file.toString())
                .inheritIO()
                .start();
        assertThat(compiler.waitFor()).isZero();
    }

    @Test
    void namesCanNotSteerATerminal() {
        assertThat(PlainText.of("a\u001b[2Jb\n\u202ec ä")).isEqualTo("a\\u{1b}[2Jb\\u{a}\\u{202e}c ä");
        assertThat(PlainText.permissions(04755)).isEqualTo("rwsr-xr-x");
        assertThat(PlainText.permissions(01776)).isEqualTo("rwxrwxrwT");
    }

    @Test
    void aMissingInterpreterIsNamedWithWhatToType() {
        assertThatThrownBy(() -> ReaderProgram.find(Optional.of(temp.resolve("python3")), false))
                .hasMessageContaining("pip install dissect");
    }

    private static final String REST = "'mode':420,'uid':0,'gid':0,'seconds':1,'nanoseconds':2,'names':1,'target':null";

    private static String object(String fields) {
        String json = "{" + fields.replace('\'', '"') + "}";
        return "J\\000\\000\\000\\" + String.format("%03o", json.length()) + json;
    }

    private void list(String output) throws IOException {
        list(output, "sleep 60");
    }

    private void list(String output, String then) throws IOException {
        Path script = Files.writeString(
                temp.resolve("reader"), "#!/bin/sh\nprintf '" + output.replace("'", "'\\''") + "'\n" + then + "\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        ImageBytes image = new ImageBytes() {
            @Override
            public long size() {
                return 4096;
            }

            @Override
            public void read(long offset, ByteBuffer into) {
                into.position(into.limit());
            }
        };
        FileListener listener = new FileListener() {
            @Override
            public void found(FileFacts facts) {
                told.add(facts.path() + " " + facts.kind() + " " + facts.size());
            }

            @Override
            public void bytes(ByteBuffer piece) {
                told.add(piece.remaining() + " bytes");
            }

            @Override
            public void failed(String path, String why) {
                told.add(path + " failed: " + why);
            }
        };
        try (FileReaderProcess reader = FileReaderProcess.start(new ReaderProgram(script, Optional.empty()), image)) {
            reader.bring("sda", "/", listener);
        }
    }
}
