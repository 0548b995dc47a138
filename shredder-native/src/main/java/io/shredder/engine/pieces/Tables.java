// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.pieces;

import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the cells of a set's groups are, as the pieces' tables have it. Each piece has all of it. A piece whose table
 * gives the set's root is believed; if there is none, that is taken of each group which most pieces have, and the root
 * tells at the end whether that was right. Groups are asked for in their order, each once. For one thread.
 */
final class Tables {

    private final PieceSet set;
    private final Collection<Piece> pieces;
    private final @Nullable Piece believed;
    private final MessageDigest root;

    private Tables(PieceSet set, Collection<Piece> pieces, @Nullable Piece believed) {
        this.set = set;
        this.pieces = pieces;
        this.believed = believed;
        this.root = PieceSet.beginRoot(set.layout());
    }

    /** Reads tables until one gives the root. */
    static Tables of(PieceSet set, Collection<Piece> pieces) {
        for (Piece piece : pieces) {
            if (givesRoot(set, piece)) {
                return new Tables(set, pieces, piece);
            }
        }
        return new Tables(set, pieces, null);
    }

    private static boolean givesRoot(PieceSet set, Piece piece) {
        MessageDigest root = PieceSet.beginRoot(set.layout());
        for (long group = 0; group < set.layout().groups(); group++) {
            Optional<CellTable> table = piece.table(group);
            if (table.isEmpty()) {
                return false;
            }
            table.get().addTo(root);
        }
        return set.root().equals(Fingerprint.of(root.digest()));
    }

    /**
     * What the next group's cells are.
     *
     * @throws IOException if no piece has a sound entry
     */
    CellTable next(long group) throws IOException {
        CellTable table =
                believed == null ? mostFrequent(group) : believed.table(group).orElseThrow(this::changed);
        table.addTo(root);
        return table;
    }

    private CellTable mostFrequent(long group) throws IOException {
        List<CellTable> found = new ArrayList<>();
        pieces.forEach(piece -> piece.table(group).ifPresent(found::add));
        CellTable best = null;
        long most = 0;
        for (CellTable table : found) {
            long same =
                    found.stream().filter(other -> other.hasSameDigests(table)).count();
            if (same > most) {
                most = same;
                best = table;
            }
        }
        if (best == null) {
            throw new IOException("no piece has a sound table of the file's bytes from "
                    + set.layout().groupStart(group) + " on: find more pieces");
        }
        return best;
    }

    /**
     * Proves all groups that were asked for, which must have been all.
     *
     * @throws IOException if they don't give the root
     */
    void prove() throws IOException {
        if (!set.root().equals(Fingerprint.of(root.digest()))) {
            throw new IOException("the pieces' tables don't give the digest in their headers: find more pieces");
        }
    }

    private IOException changed() {
        return new IOException("a piece changed while it was read: try again when it is at rest");
    }
}
