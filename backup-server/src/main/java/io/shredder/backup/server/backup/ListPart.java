// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.backup;

/** What a snapshot's list goes on with: chunks of the image, or pages that the last snapshot has. */
sealed interface ListPart permits StagedGroup, SharedPart {}
