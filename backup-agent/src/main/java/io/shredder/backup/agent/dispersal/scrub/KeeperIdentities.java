// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.scrub;

import io.shredder.backup.agent.dispersal.DispersalConfig;
import io.shredder.backup.agent.dispersal.Keeper;
import io.shredder.backup.agent.dispersal.KeeperFolders;
import io.shredder.backup.agent.dispersal.home.HeldHome;
import io.shredder.backup.agent.dispersal.home.KeeperHome;
import io.shredder.backup.agent.dispersal.shard.Dispersal;
import io.shredder.backup.agent.dispersal.shard.KeeperIdentity;
import io.shredder.backup.agent.dispersal.shard.Replacements;
import io.shredder.backup.agent.dispersal.shard.ShardHeader;
import io.shredder.backup.agent.dispersal.shard.StoredVersion;
import io.shredder.backup.agent.storage.ReadableFile;
import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.agent.storage.StoredFile;
import io.shredder.backup.bytes.OtherVersionException;
import io.shredder.chunk.DamagedDataException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks what says which keeper a folder is, and who has written there, before a store is opened: a keeper of which
 * that is damaged is left out. It is written anew if what else the folder has is the keeper's that it is named as.
 */
final class KeeperIdentities {

    private static final Logger LOG = LoggerFactory.getLogger(KeeperIdentities.class);

    private final DispersalConfig config;
    private final List<KeeperFinding> damaged = new ArrayList<>();
    private final Map<Integer, KeeperIdentity> sound = new TreeMap<>();
    private Replacements replacements = Replacements.NONE;
    private final List<Integer> epochs = new ArrayList<>();

    private KeeperIdentities(DispersalConfig config) {
        this.config = config;
    }

    static List<KeeperFinding> check(DispersalConfig config, boolean mends) throws IOException {
        KeeperIdentities identities = new KeeperIdentities(config);
        for (int i = 0; i < config.keepers().size(); i++) {
            identities.look(i, config.keepers().get(i));
        }
        return mends ? identities.mended() : identities.damaged;
    }

    private void look(int index, KeeperHome home) throws IOException {
        String file = Keeper.IDENTITY;
        try {
            Optional<KeeperIdentity> identity = Keeper.identityOf(home);
            if (identity.isEmpty()) {
                return; // It is away, or is none.
            }
            replacements = replacements.and(identity.get().replacements());
            file = Keeper.WRITER;
            epochs.add(Keeper.epoch(home));
            sound.put(index, identity.get());
        } catch (OtherVersionException e) {
            throw e;
        } catch (DamagedDataException e) {
            damaged.add(new KeeperFinding(index, home.path(file), 0, e.problem(), false, false));
        } catch (NoSuchFileException e) {
            damaged.add(new KeeperFinding(index, home.path(file), 0, "it isn't there", false, false));
        } catch (IOException e) {
            LOG.info("{}", e.getMessage()); // It is away, which is told when it is opened.
        }
    }

    /** Whoever has changed anything has written an epoch to one of the sound ones, so the highest is known. */
    private boolean knowsTheEpoch(Dispersal dispersal) {
        return sound.values().stream().filter(this::counts).count() >= dispersal.leastToReplace();
    }

    private boolean counts(KeeperIdentity identity) {
        return identity.whole() && identity.since() == replacements.epochOf(identity.place());
    }

    private List<KeeperFinding> mended() throws IOException {
        Set<UUID> stores = sound.values().stream()
                .map(identity -> identity.dispersal().store())
                .collect(Collectors.toSet());
        if (stores.size() != 1) {
            return damaged;
        }
        Dispersal dispersal = new Dispersal(stores.iterator().next(), config.data(), config.parity());
        List<KeeperFinding> found = new ArrayList<>();
        for (KeeperFinding each : damaged) {
            found.add(each.with(knowsTheEpoch(dispersal) && mend(each.keeper(), dispersal)));
        }
        return found;
    }

    private boolean mend(int index, Dispersal dispersal) throws IOException {
        KeeperHome home = config.keepers().get(index);
        try (HeldHome held = Keeper.hold(home)) {
            Optional<KeeperIdentity> own = own(home, held, index, dispersal);
            if (own.isEmpty()) {
                return false;
            }
            Keeper.mend(
                    held,
                    own.get(),
                    Math.max(KeeperFolders.highestBelieved(epochs, dispersal.parity()), ownEpoch(home)));
            return true;
        }
    }

    /** It may know of a writer that came to nobody else; epochs only grow. */
    private static int ownEpoch(KeeperHome home) throws IOException {
        try {
            return Keeper.epoch(home);
        } catch (DamagedDataException | NoSuchFileException e) {
            return 0;
        }
    }

    /**
     * By a sound identity, or by the first sound header; where there is neither, nothing can be lost. A keeper of a
     * place that was replaced can't be told by its headers from the one that was there before.
     */
    private Optional<KeeperIdentity> own(KeeperHome home, HeldHome held, int index, Dispersal dispersal)
            throws IOException {
        try {
            KeeperIdentity own = Keeper.requireIdentity(home, index, dispersal);
            return own.since() == replacements.epochOf(index) ? Optional.of(own) : Optional.empty();
        } catch (DamagedDataException e) {
            boolean known = replacements.epochOf(index) == 0 && headersSay(held, index, dispersal);
            return known ? Optional.of(KeeperIdentity.first(dispersal, index).told(replacements)) : Optional.empty();
        }
    }

    private static boolean headersSay(HeldHome held, int index, Dispersal dispersal) throws IOException {
        if (!held.has(StoredVersion.FOLDER)) {
            return false;
        }
        List<StoredFile> files = held.storage().list(StoredVersion.FOLDER);
        for (StoredFile file : files) {
            Optional<StoredVersion> version = StoredVersion.parse(file.name());
            if (version.isPresent() && headerIsOf(held.storage(), index, dispersal, version.get())) {
                return true;
            }
        }
        return files.isEmpty();
    }

    private static boolean headerIsOf(Storage storage, int index, Dispersal dispersal, StoredVersion version)
            throws IOException {
        try (ReadableFile file = storage.open(version.file())) {
            ByteBuffer head = ByteBuffer.allocate(ShardHeader.BYTES);
            file.readFully(head, 0);
            ShardHeader.read(dispersal, index, version, version.file(), head.flip());
            return true;
        } catch (EOFException | DamagedDataException e) {
            return false; // Of another keeper, or damaged itself.
        }
    }
}
