// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.plan;

import io.shredder.chunk.Fingerprint;
import io.shredder.incoop.input.NameTable;
import io.shredder.incoop.memo.MemoCatalog.MemoRef;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where entries with certain keys lie.
 *
 * @param refs by key
 */
public record KeptRefs(Map<Fingerprint, MemoRef> refs) {

    public KeptRefs {
        refs = Map.copyOf(refs);
    }

    /** Where the entry of a key lies, if one is kept. */
    public Optional<MemoRef> find(Fingerprint key) {
        return Optional.ofNullable(refs.get(key));
    }

    void write(DataOutput out, NameTable files) throws IOException {
        out.writeInt(refs.size());
        for (Map.Entry<Fingerprint, MemoRef> entry : refs.entrySet()) {
            out.write(entry.getKey().toBytes());
            out.writeInt(files.number(entry.getValue().file()));
            out.writeInt(entry.getValue().ordinal());
        }
    }

    static KeptRefs read(DataInput in, List<String> files) throws IOException {
        int count = in.readInt();
        Map<Fingerprint, MemoRef> refs = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            byte[] key = new byte[Fingerprint.BYTES];
            in.readFully(key);
            refs.put(Fingerprint.of(key), new MemoRef(NameTable.name(files, in.readInt()), in.readInt()));
        }
        return new KeptRefs(refs);
    }
}
