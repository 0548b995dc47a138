// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The tests' own source keeps the contract, too. */
class BytesImageTest extends ImageSourceContract {

    @Override
    protected ImageSource open(Path raw) throws IOException {
        byte[] bytes = Files.readAllBytes(raw);
        return new BytesImage(bytes, List.of(new Extent(0, bytes.length)), 256 << 10);
    }

    @Override
    protected long mostDataBytes() {
        return -1;
    }
}
