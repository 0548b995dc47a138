// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.memo;

import java.io.IOException;

/** A memo file is whole, but a JVM unlike this one has made it: of no use here, and of use elsewhere. */
public final class OtherJvmException extends IOException {

    private static final long serialVersionUID = 1L;

    OtherJvmException(String file) {
        super(file + " was made by a JVM with another class path, time zone, locale, character set or version");
    }
}
