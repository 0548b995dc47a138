// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import io.shredder.backup.agent.dispersal.home.HadoopHome;
import io.shredder.backup.agent.dispersal.home.KeeperHome;
import io.shredder.backup.agent.dispersal.home.LocalHome;
import io.shredder.backup.agent.dispersal.home.RemoteKeepers;
import io.shredder.backup.config.ConfigReader;
import io.shredder.backup.config.ConfigSection;
import io.shredder.engine.coding.ErasureCode;
import io.shredder.engine.coding.ErasureCode.Kind;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The file that {@code --store disperse:FILE} names: YAML, or JSON, which is YAML.
 *
 * @param data keepers that give everything back
 * @param parity keepers that may be lost
 * @param keepers their homes, in an order that never changes
 */
public record DispersalConfig(int data, int parity, List<KeeperHome> keepers) {

    private static final int MOST = 256;

    private static final int MAX_PORT = 65_535;

    /** What {@code backup-agent keep} offers on another machine. */
    private static final String REMOTE = "keep://";

    private static final Pattern HOST_AND_PORT =
            Pattern.compile("(?:\\[([0-9a-fA-F:.]+)]|([A-Za-z0-9._-]+)):([0-9]{1,5})");

    /** In which a file can be forced while it grows, and renamed in one step. */
    private static final Set<String> SYSTEMS = Set.of("hdfs", "ofs");

    /** Copies the list. */
    public DispersalConfig {
        keepers = List.copyOf(keepers);
    }

    /**
     * Reads a file, for a command, which holds the homes as somebody new each time.
     *
     * @param remotes ways to keepers on other machines
     * @throws io.shredder.backup.config.ConfigException naming all that is wrong with it, by line and column
     */
    public static DispersalConfig read(Path file, RemoteKeepers remotes) throws IOException {
        return read(file, UUID.randomUUID(), remotes);
    }

    /**
     * Reads a file.
     *
     * @param holder who will hold the homes, always the same if others are kept out elsewhere, too
     * @param remotes ways to keepers on other machines
     * @throws io.shredder.backup.config.ConfigException naming all that is wrong with it, by line and column
     */
    public static DispersalConfig read(Path file, UUID holder, RemoteKeepers remotes) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IOException("configuration " + file + " isn't there: --store disperse:FILE names it");
        }
        return ConfigReader.read(file, Files.readString(file), section -> of(section, holder, remotes));
    }

    private static DispersalConfig of(ConfigSection section, UUID holder, RemoteKeepers remotes) {
        int data = section.required("data", DispersalConfig::count, 1);
        int parity = section.required("parity", DispersalConfig::count, 1);
        if (!section.has("keepers")) {
            section.problem("'keepers' is missing: a list of folders, [/disk1/keeper, /disk2/keeper, /disk3/keeper]");
        }
        List<KeeperHome> keepers = section.list(
                        "keepers", text -> home(text, holder, remotes), "/disk1/keeper, keep://keeper1:7422")
                .orElse(List.of());
        section.finish();
        try {
            new ErasureCode(Kind.RS, data, parity);
        } catch (IllegalArgumentException e) {
            section.problem("parity", String.valueOf(e.getMessage()));
        }
        if (!keepers.isEmpty() && keepers.size() != data + parity) {
            section.problem(
                    "keepers",
                    keepers.size() + " keepers, and data + parity are " + (data + parity) + ": name as many");
        }
        if (keepers.stream().map(KeeperHome::toString).distinct().count() < keepers.size()) {
            section.problem("keepers", "a keeper is named twice: name a folder of another disk or cluster");
        }
        return new DispersalConfig(data, parity, keepers);
    }

    private static int count(String text) {
        try {
            int count = Integer.parseInt(text);
            if (count >= 1 && count < MOST) {
                return count;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is not a number", e);
        }
        throw new IllegalArgumentException(text + " is not in 1.." + (MOST - 1));
    }

    private static KeeperHome home(String text, UUID holder, RemoteKeepers remotes) {
        if (text.toLowerCase(Locale.ROOT).startsWith(REMOTE)) {
            return remote(text, holder, remotes);
        }
        return text.contains("://") ? elsewhere(text, holder) : local(text);
    }

    /** The keeper knows its folder; the list, where the keeper listens. */
    private static KeeperHome remote(String text, UUID holder, RemoteKeepers remotes) {
        Matcher place = HOST_AND_PORT.matcher(text.substring(REMOTE.length()).replaceFirst("/$", ""));
        int port = place.matches() ? Integer.parseInt(place.group(3)) : 0;
        if (port < 1 || port > MAX_PORT) {
            throw new IllegalArgumentException("'" + text + "' is not keep://HOST:PORT, such as keep://keeper1:7422");
        }
        String host = place.group(1) != null ? place.group(1) : place.group(2);
        return remotes.at(host.toLowerCase(Locale.ROOT), port, holder);
    }

    private static KeeperHome elsewhere(String text, UUID holder) {
        URI place = URI.create(text.replaceFirst("/+$", ""));
        if (!SYSTEMS.contains(String.valueOf(place.getScheme()).toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException("'" + text
                    + "' is where no keeper can be: name a folder by its path alone, one of HDFS by hdfs://, or a"
                    + " keeper on another machine by keep://");
        }
        if (String.valueOf(place.getPath()).isEmpty()) {
            throw new IllegalArgumentException("'" + text + "' is the root of its file system: name a folder");
        }
        try {
            return new HadoopHome(place, holder);
        } catch (IOException e) {
            throw new IllegalArgumentException(String.valueOf(e.getMessage()), e);
        }
    }

    private static KeeperHome local(String text) {
        Path folder = Path.of(text);
        if (!folder.isAbsolute()) {
            throw new IllegalArgumentException("'" + text
                    + "' should begin with / or be the whole address of a folder, such as hdfs://namenode:8020/keeper");
        }
        return new LocalHome(folder.normalize());
    }
}
