// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.care;

import java.io.IOException;
import java.util.List;

/** Why nothing of an image may be deleted for now, though rules would: what people have been told, and may not know. */
public interface ImageDoubts {

    /**
     * Reasons, each in words; none if nothing speaks against it.
     *
     * @param job that backs the image up
     * @param image series of snapshots
     * @throws IOException if that can't be known, so that nothing may be deleted
     */
    List<String> of(String job, String image) throws IOException;
}
