// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli;

import io.shredder.backup.seal.keyfile.KeySource;
import io.shredder.backup.server.cli.option.ConfigOption;
import io.shredder.backup.server.config.ServerConfig;
import io.shredder.backup.server.config.ServerConfigReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * What a command is not told, the daemon's configuration says: which agent, who this side is, and the repository key.
 * Options that are given win, all of a kind together.
 */
final class SiteDefaults {

    /** Names another configuration; empty means none. */
    static final String VARIABLE = "SHREDDER_BACKUP_CONFIG";

    private static final List<String> AGENT = List.of("--agent", "--cert", "--key", "--ca");
    private static final String REPO = "--repo";
    private static final List<String> KEY =
            List.of("--repository-key", "--passphrase-file", "--secret-file", "--verification-key");

    private SiteDefaults() {}

    /** The configuration that this environment leads to, if whoever asks may read it. */
    static Optional<Path> file(Map<String, String> environment) {
        String named = environment.getOrDefault(VARIABLE, ConfigOption.USUAL);
        return Optional.of(named).filter(name -> !name.isEmpty()).map(Path::of).filter(Files::isReadable);
    }

    /** The words of a command, with what they lack from this configuration. */
    static String[] complete(CommandLine line, String[] words, Path configuration) throws IOException {
        CommandSpec command = commandOf(line, words);
        boolean agent = has(command, AGENT.get(0)) && !given(words, AGENT) && !given(words, List.of(REPO));
        boolean key = has(command, KEY.get(0)) && !given(words, KEY);
        if ((!agent && !key) || given(words, List.of("-h", "--help", "-V", "--version"))) {
            return words;
        }
        ServerConfig site = ServerConfigReader.read(configuration);
        List<String> all = new ArrayList<>(Arrays.asList(words));
        if (agent) {
            all.addAll(List.of(
                    "--agent=" + site.agent(),
                    "--cert=" + site.tls().certificate(),
                    "--key=" + site.tls().key(),
                    "--ca=" + site.tls().authority()));
        }
        KeySource source = site.key();
        if (key && isReadable(source)) {
            all.add("--repository-key=" + source.keyFile());
            source.passphraseFile().ifPresent(file -> all.add("--passphrase-file=" + file));
            source.secretFile().ifPresent(file -> all.add("--secret-file=" + file));
        }
        return all.toArray(String[]::new);
    }

    /** Who may not read the key can still do what needs none. */
    private static boolean isReadable(KeySource key) {
        return Stream.of(Optional.of(key.keyFile()), key.passphraseFile(), key.secretFile())
                .flatMap(Optional::stream)
                .allMatch(Files::isReadable);
    }

    private static CommandSpec commandOf(CommandLine line, String[] words) {
        CommandLine found = line;
        for (String word : words) {
            CommandLine sub = found.getSubcommands().get(word);
            if (sub == null) {
                break;
            }
            found = sub;
        }
        return found.getCommandSpec();
    }

    private static boolean has(CommandSpec command, String option) {
        return command.findOption(option) != null;
    }

    private static boolean given(String[] words, List<String> options) {
        return Arrays.stream(words).takeWhile(word -> !word.equals("--")).anyMatch(word -> options.stream()
                .anyMatch(option -> word.equals(option) || word.startsWith(option + "=")));
    }
}
