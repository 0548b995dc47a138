// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import static io.shredder.backup.agent.s3.S3Objects.CHANGES;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadResponse;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.UploadPartResponse;

/** Puts an object that is too long for one request: parts, one after another, become one in a last step. */
final class MultipartPut {

    private static final Logger LOG = LoggerFactory.getLogger(MultipartPut.class);

    /** An object store wants 5 MiB at least. */
    private static final long LEAST_PART_BYTES = 64 << 20;

    /** An object store takes 10,000. */
    private static final int MOST_PARTS = 9_000;

    private final S3Place place;
    private final S3Client client;
    private final Optional<Retention> retention;

    MultipartPut(S3Place place, S3Client client, Optional<Retention> retention) {
        this.place = place;
        this.client = client;
        this.retention = retention;
    }

    /** As {@link S3Objects#put}; a condition that doesn't hold is told by the last step. */
    StoredObject put(String name, PutContent content, UUID session, Optional<StoredObject> before) throws IOException {
        String upload = begin(name, content, session);
        try {
            List<CompletedPart> parts = send(name, upload, content);
            CompleteMultipartUploadRequest.Builder complete = CompleteMultipartUploadRequest.builder()
                    .bucket(place.bucket())
                    .key(place.key(name))
                    .uploadId(upload)
                    .multipartUpload(all -> all.parts(parts))
                    .overrideConfiguration(CHANGES);
            if (before.isPresent()) {
                complete.ifMatch(before.get().etag());
            } else {
                complete.ifNoneMatch("*");
            }
            CompleteMultipartUploadResponse done = client.completeMultipartUpload(complete.build());
            return new StoredObject(content.bytes(), done.eTag(), Instant.now(), session.toString(), content.crc32c());
        } catch (IOException | RuntimeException e) {
            abort(place.key(name), upload);
            throw e;
        }
    }

    private String begin(String name, PutContent content, UUID session) {
        CreateMultipartUploadRequest.Builder create = CreateMultipartUploadRequest.builder()
                .bucket(place.bucket())
                .key(place.key(name))
                .checksumAlgorithm(ChecksumAlgorithm.CRC32_C)
                .metadata(StoredObject.metadata(session, content))
                .overrideConfiguration(CHANGES);
        retention.ifPresent(
                lock -> create.objectLockMode(lock.mode().name()).objectLockRetainUntilDate(S3Objects.until(lock)));
        return client.createMultipartUpload(create.build()).uploadId();
    }

    private List<CompletedPart> send(String name, String upload, PutContent content) throws IOException {
        long partBytes = Math.max(LEAST_PART_BYTES, content.bytes() / MOST_PARTS + 1);
        List<CompletedPart> parts = new ArrayList<>();
        for (long at = 0; at < content.bytes(); at += partBytes) {
            long length = Math.min(partBytes, content.bytes() - at);
            int number = parts.size() + 1;
            String crc = content.crc32c(at, length);
            UploadPartResponse sent = client.uploadPart(
                    part -> part.bucket(place.bucket())
                            .key(place.key(name))
                            .uploadId(upload)
                            .partNumber(number)
                            .checksumCRC32C(crc)
                            .overrideConfiguration(CHANGES),
                    content.body(at, length));
            parts.add(CompletedPart.builder()
                    .partNumber(number)
                    .eTag(sent.eTag())
                    .checksumCRC32C(crc)
                    .build());
        }
        return parts;
    }

    private void abort(String key, String upload) {
        try {
            client.abortMultipartUpload(
                    abort -> abort.bucket(place.bucket()).key(key).uploadId(upload));
        } catch (SdkException e) {
            LOG.warn("parts of {} are left in bucket {}, and are paid: {}", key, place.bucket(), e.getMessage());
        }
    }

    /** Takes away the parts of all that never became whole. An object store that can't tell of them has them listed. */
    void clear() throws IOException {
        List<MultipartUpload> left =
                S3Errors.translated(place, "listing", "parts of unfinished objects", () -> client
                        .listMultipartUploadsPaginator(
                                list -> list.bucket(place.bucket()).prefix(place.key("")))
                        .uploads()
                        .stream()
                        .toList());
        for (MultipartUpload upload : left) {
            abort(upload.key(), upload.uploadId());
        }
    }
}
