// SPDX-License-Identifier: Apache-2.0
/**
 * Fields of messages and files, big-endian. {@link io.shredder.backup.bytes.BodyReader} reads them in turn and, as
 * every {@link io.shredder.chunk.FieldReader}, names the offset of what is damaged.
 */
@NullMarked
package io.shredder.backup.bytes;

import org.jspecify.annotations.NullMarked;
