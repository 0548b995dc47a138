// SPDX-License-Identifier: Apache-2.0
package net.acme.sides;

import java.io.IOException;
import net.acme.Table;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/** A library that holds a table from the first question on. */
public final class Tables {
    private static Table table;

    private Tables() {}

    static synchronized Table get(Configuration conf) throws IOException {
        if (table == null) {
            Path path = new Path(conf.get(Table.PLACE));
            table = Table.read(path.getFileSystem(conf).open(path));
        }
        return table;
    }
}
