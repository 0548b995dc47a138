// SPDX-License-Identifier: Apache-2.0
package net.acme;

import java.io.IOException;

/** Counts first words. */
public final class WordMapper extends LineMapper {
    @Override
    protected void line(String line, Context context) throws IOException, InterruptedException {
        emit(context, first(line), 1);
    }
}
