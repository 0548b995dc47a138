// SPDX-License-Identifier: Apache-2.0
/**
 * A storage in a bucket of an object store that speaks S3: {@code docs/formats/container.md}, section 6. Begin with
 * {@link io.shredder.backup.agent.s3.S3Storage}; {@link io.shredder.backup.agent.s3.S3Objects} is what it asks of the
 * object store, and {@link io.shredder.backup.agent.s3.RequestWatch} what lies around each request.
 */
@NullMarked
package io.shredder.backup.agent.s3;

import org.jspecify.annotations.NullMarked;
