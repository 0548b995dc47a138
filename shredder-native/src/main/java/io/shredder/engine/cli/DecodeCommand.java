// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.cli;

import io.shredder.engine.InvalidOptionException;
import io.shredder.engine.pieces.FileDecoder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code shredder decode PIECE... --to FILE}: a line for each damage and a summary, on standard error. */
@Command(
        name = "decode",
        description = {
            "Gives a file back of pieces that 'shredder code' made of it. Reads no more of them than it needs,",
            "names each damage that it meets by piece and offset, and decodes past it. What it writes is proved."
        },
        footer = {
            "",
            "Exit codes: 0 decoded, or all pieces sound; 1 too little is left, or --check found damage or a loss;",
            "2 wrong usage. To make lost pieces anew, decode the file and code it again in the same way:",
            "the pieces will be the same."
        },
        mixinStandardHelpOptions = true)
final class DecodeCommand implements Callable<Integer> {

    @Parameters(
            arity = "1..*",
            paramLabel = "PIECE",
            description = "Pieces of one file, or folders of which all *.piece are.")
    private List<Path> places = List.of();

    @Option(names = "--to", paramLabel = "FILE", description = "The file to write.")
    private @Nullable Path target;

    @Option(names = "--force", description = "Replace FILE if it is there.")
    private boolean force;

    @Option(names = "--check", description = "Write nothing; read all pieces whole and name all damage.")
    private boolean check;

    @Override
    public Integer call() throws IOException {
        if (check == (target != null)) {
            throw new InvalidOptionException("give one of --to FILE and --check");
        }
        List<Path> pieces = new PiecePlaces(Files::list, DecodeCommand::tell).pieces(places);
        try (FileDecoder decoder = FileDecoder.open(pieces, DecodeCommand::tell)) {
            return target == null ? check(decoder) : decode(decoder, target);
        }
    }

    private static void tell(String problem) {
        System.err.println("shredder: " + problem);
    }

    private int decode(FileDecoder decoder, Path file) throws IOException {
        Progress progress = new Progress(file, decoder.fileBytes());
        try {
            decoder.decode(file, force, bytes -> {
                progress.add(bytes);
                progress.show();
            });
        } finally {
            progress.clear();
        }
        System.err.printf(
                Locale.ROOT,
                "%s: %s decoded, %s/s%s%n",
                file,
                SizeOption.format(progress.bytes()),
                SizeOption.format(progress.bytesPerSecond()),
                lost(decoder));
        return 0;
    }

    private int check(FileDecoder decoder) throws IOException {
        Progress progress = new Progress(Path.of("pieces"), decoder.fileBytes());
        try {
            decoder.check(bytes -> {
                progress.add(bytes);
                progress.show();
            });
        } finally {
            progress.clear();
        }
        boolean whole = decoder.isSound() && decoder.missing().isEmpty();
        System.err.printf(
                Locale.ROOT,
                "a file of %s can be decoded; any %d of %d pieces are needed%s%n",
                SizeOption.format(decoder.fileBytes()),
                decoder.needed(),
                decoder.made(),
                whole ? "; all are there and sound" : lost(decoder));
        return whole ? 0 : ShredderCommand.FAILED;
    }

    private static String lost(FileDecoder decoder) {
        return decoder.missing().isEmpty()
                ? ""
                : decoder.missing().stream().map(String::valueOf).collect(Collectors.joining(", ", "; without ", ""));
    }
}
