// SPDX-License-Identifier: Apache-2.0
/**
 * Listings of the digests of files' chunks: one file, {@code docs/formats/digests.md}, that lies wherever somebody
 * wants it. {@link io.shredder.hdfs.scan.digests.ListedDigests} collects them from tasks,
 * {@link io.shredder.hdfs.scan.digests.ListingTarget} publishes, {@link io.shredder.hdfs.scan.digests.DigestListing}
 * reads.
 */
@NullMarked
package io.shredder.hdfs.scan.digests;

import org.jspecify.annotations.NullMarked;
