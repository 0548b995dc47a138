// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.guest;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Is told of files as they are found. An exception ends the request, and with it the reader. One thread. */
public interface FileListener {

    /** A file, a folder, or something else with a name. */
    void found(FileFacts facts) throws IOException;

    /** More of the file that was found last. The buffer is used again. */
    void bytes(ByteBuffer piece) throws IOException;

    /**
     * Something can't be read, or not to its end: then it is the file that was found last.
     *
     * @param path empty if it is all that was asked for
     */
    void failed(String path, String why) throws IOException;
}
