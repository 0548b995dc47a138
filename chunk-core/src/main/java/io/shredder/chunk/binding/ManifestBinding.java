// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk.binding;

import io.shredder.chunk.Fingerprint;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What the extended attribute {@value #XATTR} of an HDFS file says of its manifest ({@code docs/formats/manifest.md}).
 *
 * @param manifest the SHA-256 that the manifest ends with
 * @param blocks {@link BlockLayout#digest()}
 */
public record ManifestBinding(Fingerprint manifest, Fingerprint blocks) {

    public static final String XATTR = "user.shredder.manifest";

    /**
     * That of a manifest and its file.
     *
     * @param manifestBytes a whole encoded manifest
     * @param blocks {@link BlockLayout#digest()} of the file
     */
    public static ManifestBinding of(byte[] manifestBytes, Fingerprint blocks) {
        byte[] digest =
                Arrays.copyOfRange(manifestBytes, manifestBytes.length - Fingerprint.BYTES, manifestBytes.length);
        return new ManifestBinding(Fingerprint.of(digest), blocks);
    }

    /** The attribute's value. */
    public byte[] encode() {
        return ("v1 manifest=" + manifest + " blocks=" + blocks).getBytes(StandardCharsets.US_ASCII);
    }
}
