// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.console;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;

/** Rows of an answer, as many as it may be long. */
public final class Rows {

    /** Of an answer, less what stands around its rows. */
    public static final int MOST_BYTES = 180_000;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final ArrayNode rows = JSON.createArrayNode();
    private final int most;
    private int bytes;

    /** Of an answer that has no others. */
    public Rows() {
        this(MOST_BYTES);
    }

    /** @param most bytes of all rows */
    public Rows(int most) {
        this.most = most;
    }

    /** Whether there was room; the first always has some. */
    public boolean add(ObjectNode row) {
        bytes += row.toString().getBytes(StandardCharsets.UTF_8).length + 1;
        if (!rows.isEmpty() && bytes > most) {
            return false;
        }
        rows.add(row);
        return true;
    }

    /** Those that there was room for. */
    public ArrayNode rows() {
        return rows;
    }

    /**
     * A part of a list.
     *
     * @param key of the rows
     * @param query has {@code limit} and {@code cursor}, the place where it begins
     */
    public static <T> ObjectNode page(String key, List<T> all, Query query, int usual, Function<T, ObjectNode> json) {
        int from = (int) Math.min(all.size(), query.number("cursor", 0, Integer.MAX_VALUE, 0));
        int to = Math.min(all.size(), from + query.limit(usual));
        Rows rows = new Rows();
        int next = from;
        while (next < to && rows.add(json.apply(all.get(next)))) {
            next++;
        }
        ObjectNode page = JSON.createObjectNode().put("total", all.size());
        page.set(key, rows.rows());
        if (next < all.size()) {
            page.put("next", String.valueOf(next));
        }
        return page;
    }
}
