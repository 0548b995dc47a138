// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.guest;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The program that knows file systems: our {@code file_reader.py} in a Python that has Dissect's parsers, behind
 * bubblewrap. There it sees Python's own folders and its two pipes, and neither a network nor another process.
 *
 * @param python the interpreter
 * @param bubblewrap empty to go without, when the limits of memory and time stay
 */
public record ReaderProgram(Path python, Optional<Path> bubblewrap) {

    /** The parsers, as {@code pip} is told them; each is pinned by what it was tested with. */
    public static final String PARSERS = "dissect.extfs==3.15 dissect.xfs==3.13 dissect.btrfs==1.10"
            + " dissect.ntfs==3.16 dissect.fat==3.13 dissect.volume==3.18";

    /** Where the operator's guide has Python's environment made. */
    public static final Path USUAL_FOLDER = Path.of("/opt/shredder-files");

    private static final String RESOURCE = "file_reader.py";

    /** The program comes through the pipe, so that nothing has to be laid where the sandbox sees it. */
    private static final String FIRST_LINE = "import sys; n = int.from_bytes(sys.stdin.buffer.read(4), 'big');"
            + " exec(compile(sys.stdin.buffer.read(n), 'file_reader.py', 'exec'))";

    /** What the system's own Python needs beside /usr: names of folders that are links into it. */
    private static final List<String> SYSTEM_FOLDERS = List.of("lib", "lib64", "bin");

    /**
     * Finds both programs.
     *
     * @param python the interpreter that is meant, or empty for the usual one
     * @param sandbox whether bubblewrap is wanted
     * @throws IOException if one is missing; says what to type
     */
    public static ReaderProgram find(Optional<Path> python, boolean sandbox) throws IOException {
        Path usual = USUAL_FOLDER.resolve("bin/python3");
        Path chosen = python.isPresent() ? python.get() : Files.isExecutable(usual) ? usual : onPath("python3");
        if (!Files.isExecutable(chosen)) {
            throw new IOException("no Python at " + chosen + ": " + installation());
        }
        Optional<Path> bubblewrap = Optional.empty();
        if (sandbox) {
            Path found = onPath("bwrap");
            if (!Files.isExecutable(found)) {
                throw new IOException("no bwrap on PATH, which keeps a hostile image's reader from everything else:"
                        + " 'apt install bubblewrap', or go without it by --no-sandbox");
            }
            bubblewrap = Optional.of(found);
        }
        return new ReaderProgram(chosen.toAbsolutePath(), bubblewrap);
    }

    /** What to type to have the parsers. */
    static String installation() {
        return "'apt install python3-venv', 'python3 -m venv " + USUAL_FOLDER + "', '" + USUAL_FOLDER
                + "/bin/pip install " + PARSERS + "'";
    }

    private static Path onPath(String name) {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        for (String folder : path.split(":", -1)) {
            Path program = Path.of(folder, name);
            if (!folder.isEmpty() && Files.isExecutable(program)) {
                return program;
            }
        }
        return Path.of(name);
    }

    /** Program and arguments. */
    List<String> command() throws IOException {
        List<String> command = new ArrayList<>();
        if (bubblewrap.isPresent()) {
            command.add(bubblewrap.get().toString());
            command.addAll(List.of("--unshare-all", "--die-with-parent", "--new-session", "--clearenv"));
            command.addAll(List.of("--cap-drop", "ALL", "--uid", "65534", "--gid", "65534"));
            command.addAll(List.of("--ro-bind", "/usr", "/usr"));
            for (String name : SYSTEM_FOLDERS) {
                Path folder = Path.of("/" + name);
                if (Files.isSymbolicLink(folder)) {
                    command.addAll(
                            List.of("--symlink", Files.readSymbolicLink(folder).toString(), "/" + name));
                } else if (Files.isDirectory(folder)) {
                    command.addAll(List.of("--ro-bind", "/" + name, "/" + name));
                }
            }
            bind(command, python);
            bind(command, python.toRealPath());
            command.addAll(List.of("--chdir", "/", "--"));
        }
        command.addAll(List.of(python.toString(), "-I", "-B", "-X", "utf8", "-c", FIRST_LINE));
        return command;
    }

    /** An interpreter lies in {@code bin} of the folder that it needs. */
    private static void bind(List<String> command, Path interpreter) {
        Path bin = interpreter.getParent();
        Path folder = bin == null ? null : bin.getParent();
        if (folder != null && folder.getNameCount() > 0 && !folder.startsWith("/usr")) {
            command.addAll(List.of("--ro-bind", folder.toString(), folder.toString()));
        }
    }

    static byte[] source() throws IOException {
        try (InputStream in = ReaderProgram.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IOException("the jar lacks " + RESOURCE + ": install the distribution anew");
            }
            return in.readAllBytes();
        }
    }
}
