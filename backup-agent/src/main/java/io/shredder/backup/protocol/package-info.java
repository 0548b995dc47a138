// SPDX-License-Identifier: Apache-2.0
/**
 * What the two sites say to each other, byte by byte: {@code docs/formats/wire.md}. {@link
 * io.shredder.backup.protocol.Request} and {@link io.shredder.backup.protocol.Answer} hold every message, {@link
 * io.shredder.backup.protocol.Frame} what surrounds one, {@link io.shredder.backup.protocol.StoredRegion} chunks in the
 * form in which they travel and are kept, {@link io.shredder.backup.protocol.TlsFiles} who may talk at all.
 *
 * <p>Values and codecs only: no thread, no socket, no file but certificates.
 */
@NullMarked
package io.shredder.backup.protocol;

import org.jspecify.annotations.NullMarked;
