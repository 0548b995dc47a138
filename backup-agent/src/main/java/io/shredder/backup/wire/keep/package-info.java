// SPDX-License-Identifier: Apache-2.0
/**
 * What an agent says to a keeper on another machine, and what that answers, in the frames of
 * {@code io.shredder.backup.wire}: {@code docs/formats/keep.md}. Begin with
 * {@link io.shredder.backup.wire.keep.KeeperRequest}.
 */
@NullMarked
package io.shredder.backup.wire.keep;

import org.jspecify.annotations.NullMarked;
