// SPDX-License-Identifier: Apache-2.0
package net.acme.sides;

import java.io.IOException;
import java.util.Objects;
import net.acme.LineMapper;
import net.acme.Table;

/** Adds up, by first word, what a table says of it. */
abstract class TableMapper extends LineMapper {
    private Table table;

    /** Gets the table, once for each mapper. */
    protected abstract Table table(Context context) throws IOException;

    @Override
    protected void setup(Context context) throws IOException {
        table = table(context);
    }

    /** Where the table lies. */
    protected static String place(Context context) {
        return Objects.requireNonNull(context.getConfiguration().get(Table.PLACE), Table.PLACE);
    }

    @Override
    protected void line(String line, Context context) throws IOException, InterruptedException {
        String word = first(line);
        emit(context, word, table.number(word));
    }
}
