// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** An object store's errors in the words of files. */
final class S3Errors {

    static final int FORBIDDEN = 403;
    static final int NOT_FOUND = 404;
    static final int CONFLICT = 409;
    static final int CONDITION_FAILED = 412;
    static final int RANGE_FAILED = 416;
    private static final int MOVED = 301;
    private static final String KEYS =
            "keys come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or from the file that"
                    + " AWS_SHARED_CREDENTIALS_FILE names";

    private S3Errors() {}

    /** A request. */
    interface Asking<T> {
        T ask() throws IOException;
    }

    /**
     * Sends a request.
     *
     * @param what it does, for messages, such as {@code reading}
     * @param name of the file; of several, what they are
     */
    static <T> T translated(S3Place place, String what, String name, Asking<T> asking) throws IOException {
        try {
            return asking.ask();
        } catch (SdkException | UncheckedIOException e) {
            throw translate(place, what, name, e);
        }
    }

    private static IOException translate(S3Place place, String what, String name, RuntimeException error) {
        IOException own = own(error);
        if (own != null) {
            return own;
        }
        if (!(error instanceof S3Exception refused)) {
            return new IOException(
                    "object store of " + place + ", " + what + " " + name + ": " + error.getMessage() + remedy(error),
                    error);
        }
        if (refused.statusCode() == NOT_FOUND && !"NoSuchBucket".equals(code(refused))) {
            NoSuchFileException missing = new NoSuchFileException(name);
            missing.initCause(refused);
            return missing;
        }
        return new IOException(
                "object store of " + place + ", " + what + " " + name + ": " + code(refused) + " ("
                        + refused.statusCode() + ")" + remedy(place, refused),
                refused);
    }

    /** What the agent itself says against a request. */
    private static @Nullable IOException own(Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof UncheckedIOException unchecked) {
                return unchecked.getCause();
            }
        }
        return null;
    }

    private static String remedy(Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof SSLException) {
                return ": see whether --store-endpoint is right, and name with --store-ca who vouches for it";
            }
        }
        return String.valueOf(error.getMessage()).contains("credentials") ? ": " + KEYS : "";
    }

    private static String remedy(S3Place place, S3Exception refused) {
        return switch (code(refused)) {
            case "NoSuchBucket" -> ": make the bucket " + place.bucket() + ", or name another with --store";
            case "InvalidAccessKeyId", "SignatureDoesNotMatch" -> ": the keys are not the object store's; " + KEYS;
            case "AccessDenied" -> ": the keys don't give the right to do that in bucket " + place.bucket();
            case "RequestTimeTooSkewed" -> ": set this machine's clock";
            case "InvalidObjectState" ->
                ": it is in an archive; bring it back, and take away the lifecycle rule that moved it there";
            default ->
                refused.statusCode() == MOVED
                        ? ": the bucket is in another region, name that with --store-region"
                        : refused.statusCode() == FORBIDDEN ? ": the keys don't give the right to do that" : "";
        };
    }

    /** An error's name. */
    static String code(S3Exception refused) {
        String code = refused.awsErrorDetails() == null
                ? null
                : refused.awsErrorDetails().errorCode();
        return code == null || code.isEmpty() ? "error" : code;
    }
}
