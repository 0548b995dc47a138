// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli;

import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.seal.keyfile.KeyFile;
import io.shredder.backup.seal.keyfile.KeyWrapping;
import io.shredder.backup.seal.keyfile.PaperKey;
import io.shredder.backup.seal.keyfile.Secret;
import io.shredder.backup.server.cli.option.JsonOption;
import io.shredder.backup.server.cli.option.KeyOptions;
import io.shredder.backup.server.cli.option.NewSecretOptions;
import io.shredder.backup.server.text.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code key}: makes and looks after the repository key, without any agent. */
@Command(
        name = "key",
        description = "Make and look after the key that seals the backups.",
        footer = {
            "",
            "Whoever has the key can read every backup; without it nobody can, and nobody can help.",
            "So keep a paper copy in a safe, and try it."
        },
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
final class KeyCommand implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Without a subcommand there is nothing to do. */
    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "missing command: create, add, change, remove, paper, verification, check");
    }

    @Command(description = "Make a new key, opened by a passphrase or a secret file.", mixinStandardHelpOptions = true)
    int create(
            @Parameters(paramLabel = "FILE", description = "The key file to make.") Path file,
            @Mixin NewSecretOptions wanted,
            @Option(
                            names = "--from-paper",
                            paramLabel = "FILE",
                            description =
                                    "Not a new key but the one of this paper copy, typed in; '-' is standard input.")
                    @Nullable
                    Path paper,
            @Mixin JsonOption json)
            throws IOException {
        SecureRandom random = new SecureRandom();
        if (Files.exists(file)) {
            throw new IOException(file + " exists: name another file, or look at it with 'key check'");
        }
        RepositoryKey key = paper == null ? RepositoryKey.generate(random) : PaperKey.parse(lines(paper));
        KeyFile.of(key, wanted.secret(), random).create(file);
        json.print(
                () -> Map.of("file", file.toString(), "key", key.id().toString()),
                () -> file + " holds " + key
                        + ": print it now with 'key paper', without the key no backup can be read");
        return 0;
    }

    private static List<String> lines(Path paper) throws IOException {
        if (!paper.toString().equals("-")) {
            return Files.readAllLines(paper);
        }
        return new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
                .lines()
                .toList();
    }

    @Command(description = "Let another secret open the key, too.", mixinStandardHelpOptions = true)
    int add(@Mixin KeyOptions keys, @Mixin NewSecretOptions wanted, @Mixin JsonOption json) throws IOException {
        KeyFile file = KeyFile.read(keys.keyFile());
        if (file.wrappings().size() == KeyFile.MAX_WRAPPINGS) {
            throw new IOException(keys.keyFile() + " has " + KeyFile.MAX_WRAPPINGS + " wrappings: remove one first");
        }
        RepositoryKey key = file.unlock(keys.secret());
        KeyFile more = file.with(key, wanted.secret(), new SecureRandom());
        more.replace(keys.keyFile());
        json.print(
                () -> wrappings(keys, more),
                () -> keys.keyFile() + " has " + more.wrappings().size() + " wrappings now");
        return 0;
    }

    @Command(
            description = "Put another secret in the place of the one that opens the key now.",
            footer = {"", "Old copies of the key file are still opened by the old secret: destroy them."},
            mixinStandardHelpOptions = true)
    int change(@Mixin KeyOptions keys, @Mixin NewSecretOptions wanted, @Mixin JsonOption json) throws IOException {
        KeyFile file = KeyFile.read(keys.keyFile());
        Secret old = keys.secret();
        RepositoryKey key = file.unlock(old);
        int number = file.opens(old).orElseThrow();
        KeyFile changed = file.with(key, wanted.secret(), new SecureRandom()).without(number);
        changed.replace(keys.keyFile());
        json.print(
                () -> wrappings(keys, changed),
                () -> keys.keyFile() + ": wrapping " + number + " is gone, the new one is number "
                        + changed.wrappings().size());
        return 0;
    }

    @Command(description = "Let a secret no longer open the key.", mixinStandardHelpOptions = true)
    int remove(
            @Mixin KeyOptions keys,
            @Option(
                            names = "--wrapping",
                            required = true,
                            paramLabel = "N",
                            description = "Its number, as 'key check' shows.")
                    int number,
            @Mixin JsonOption json)
            throws IOException {
        KeyFile file = KeyFile.read(keys.keyFile());
        file.unlock(keys.secret());
        KeyFile fewer = file.without(number);
        fewer.replace(keys.keyFile());
        json.print(() -> wrappings(keys, fewer), () -> keys.keyFile() + ": wrapping " + number + " is removed");
        return 0;
    }

    @Command(
            description = "Print the key, to be kept on paper in a safe place.",
            footer = {"", "The paper is the key: whoever has it can read every backup."},
            mixinStandardHelpOptions = true)
    int paper(@Mixin KeyOptions keys) throws IOException {
        RepositoryKey key = keys.unlock();
        System.out.println("Shredder backup key. Whoever has this paper can read every backup made with it.");
        System.out.println("Bring it back: shredder-backup key create FILE --from-paper -");
        System.out.println();
        PaperKey.lines(key).forEach(System.out::println);
        return 0;
    }

    @Command(
            description = "Print the verification key: it tells this key's snapshots from others, and opens none.",
            footer = {"", "Give it to whoever prunes: shredder-backup key verification ... > backup.verification"},
            mixinStandardHelpOptions = true)
    int verification(@Mixin KeyOptions keys) throws IOException {
        System.out.println(keys.unlock().verificationKey().toLine());
        return 0;
    }

    @Command(
            description = "Say which key this is and what opens it, and try the secret given.",
            mixinStandardHelpOptions = true)
    int check(@Mixin KeyOptions keys, @Mixin JsonOption json) throws IOException {
        KeyFile file = KeyFile.read(keys.keyFile());
        Secret secret = keys.secret();
        RepositoryKey key = file.unlock(secret);
        Optional<Integer> opened = file.opens(secret);
        if (json.isGiven()) {
            Map<String, Object> result = new LinkedHashMap<>(wrappings(keys, file));
            result.put("key", key.id().toString());
            opened.ifPresent(number -> result.put("openedBy", number));
            System.out.println(Json.line(result));
            return 0;
        }
        System.out.println(keys.keyFile() + " holds " + key);
        for (int number = 1; number <= file.wrappings().size(); number++) {
            String mark = opened.isPresent() && opened.get() == number ? ", opened by what was given" : "";
            System.out.println(number + ": " + file.wrappings().get(number - 1).description() + mark);
        }
        return 0;
    }

    /** For {@code --json}: the wrappings, number 1 first. */
    private static Map<String, Object> wrappings(KeyOptions keys, KeyFile file) {
        return Map.of(
                "file",
                keys.keyFile().toString(),
                "wrappings",
                file.wrappings().stream().map(KeyWrapping::description).toList());
    }
}
