// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk.binding;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the extended attribute {@value #XATTR} of an HDFS file says: where its manifest is, whatever either is called
 * ({@code docs/formats/manifest.md}).
 *
 * @param inode the manifest's inode id
 */
public record ManifestPlace(long inode) {

    public static final String XATTR = "user.shredder.manifest.at";

    private static final Pattern FORM = Pattern.compile("v1 inode=(\\d{1,18})");

    /** Empty if {@code value} is not of this version. */
    static Optional<ManifestPlace> parse(byte[] value) {
        Matcher form = FORM.matcher(new String(value, StandardCharsets.US_ASCII));
        return form.matches() ? Optional.of(new ManifestPlace(Long.parseLong(form.group(1)))) : Optional.empty();
    }

    /** The attribute's value. */
    public byte[] encode() {
        return ("v1 inode=" + inode).getBytes(StandardCharsets.US_ASCII);
    }
}
