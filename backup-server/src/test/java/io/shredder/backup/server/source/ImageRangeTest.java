// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A range in the middle of a file is an image like any other. */
class ImageRangeTest extends ImageSourceContract {

    private static final int BEFORE_BYTES = 12_289;

    private ImageSource whole = new BytesImage(new byte[10], List.of(), 4096);

    @Override
    protected ImageSource open(Path raw) throws IOException {
        byte[] other = new byte[BEFORE_BYTES];
        Arrays.fill(other, (byte) 7);
        Path padded = raw.resolveSibling("padded");
        try (OutputStream out = Files.newOutputStream(padded)) {
            out.write(other);
            Files.copy(raw, out);
            out.write(other);
        }
        whole = new ImageAddress.RawFile(padded).open();
        return new ImageRange(whole, BEFORE_BYTES, BEFORE_BYTES + Files.size(raw));
    }

    @Override
    protected long mostDataBytes() {
        return -1;
    }

    @AfterEach
    void closeWhole() throws IOException {
        whole.close();
    }

    @Test
    void whatIsNoPartOfTheImageIsRefused() {
        assertThatThrownBy(() -> new ImageRange(whole, 5, whole.imageBytes() + 1))
                .hasMessageContaining("is no part of");
        assertThatThrownBy(() -> new ImageRange(whole, 5, 4)).hasMessageContaining("5 to 4 is no part of");
    }
}
