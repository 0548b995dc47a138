// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.cli;

import io.shredder.engine.InvalidOptionException;
import io.shredder.engine.coding.ErasureCode;
import io.shredder.engine.coding.ErasureCode.Kind;
import io.shredder.engine.pieces.FileCoder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code shredder code FILE}: a line a piece on standard output, a summary on standard error. */
@Command(
        name = "code",
        description = {
            "Makes pieces of a file, of which any K give it back ('shredder decode').",
            "Prints each piece's name. The same file, coded alike, gives the same pieces again."
        },
        mixinStandardHelpOptions = true)
final class CodeCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "An ordinary file, which nobody may write meanwhile.")
    private Path file = Path.of("");

    @Option(
            names = "--data",
            required = true,
            paramLabel = "K",
            description = "How many pieces will give the file back; each has a K-th of it.")
    private int data;

    @Option(
            names = "--parity",
            required = true,
            paramLabel = "M",
            description = "How many of the K + M pieces may be lost; at most 256 in all.")
    private int parity;

    @Option(
            names = "--to",
            required = true,
            arity = "1..*",
            paramLabel = "DIR",
            description = "Folders, best on a disk each, that get FILE.000.piece, FILE.001.piece, ... in turn.")
    private List<Path> folders = List.of();

    @Option(
            names = "--force",
            description = "Replace pieces that are there. Of FILE's pieces of before none stays in the folders.")
    private boolean force;

    @Override
    public Integer call() throws IOException {
        requireCode();
        Progress progress = new Progress(file, Files.isRegularFile(file) ? Files.size(file) : 0);
        List<Path> pieces;
        try {
            pieces = FileCoder.code(file, data, parity, folders, force, bytes -> {
                progress.add(bytes);
                progress.show();
            });
        } finally {
            progress.clear();
        }
        PrintWriter out = spec.commandLine().getOut();
        pieces.forEach(out::println);
        out.flush();
        System.err.printf(
                Locale.ROOT,
                "%s: %s as %d pieces of %s, %s/s; any %d give it back%n",
                file,
                SizeOption.format(progress.bytes()),
                pieces.size(),
                SizeOption.format(Files.size(pieces.get(0))),
                SizeOption.format(progress.bytesPerSecond()),
                data);
        tellPlaces();
        return 0;
    }

    /** So that both options are named for what is wrong with them, and for nothing else. */
    private void requireCode() {
        try {
            new ErasureCode(Kind.RS, data, parity);
        } catch (IllegalArgumentException e) {
            throw new InvalidOptionException("--data and --parity: " + e.getMessage());
        }
    }

    /** Folders get one piece after the other, so the first ones have the most. */
    private void tellPlaces() {
        int pieces = data + parity;
        if (folders.size() >= pieces) {
            return;
        }
        int inFullest = (pieces + folders.size() - 1) / folders.size();
        if (inFullest > parity) {
            System.err.printf(
                    "shredder: warning: a folder has up to %d pieces and only %d may be lost: name more folders%n",
                    inFullest, parity);
        } else {
            System.err.printf(
                    "a folder has up to %d pieces; any %d folders may be lost%n", inFullest, parity / inFullest);
        }
    }
}
