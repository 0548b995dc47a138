// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.cli.store;

import io.shredder.backup.agent.s3.Retention;
import io.shredder.backup.agent.s3.S3Settings;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How an object store is reached. */
public final class ObjectStoreOptions {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @ArgGroup(
            validate = false,
            heading = "%nFor a store in an object store, s3://BUCKET/PREFIX; keys come from AWS_ACCESS_KEY_ID and"
                    + " AWS_SECRET_ACCESS_KEY, from the file that AWS_SHARED_CREDENTIALS_FILE names, or from the"
                    + " machine's role:%n")
    private Values values = new Values();

    private static final class Values {

        @Option(
                names = "--store-endpoint",
                paramLabel = "URL",
                description = "The object store, if it isn't Amazon's, such as https://s3.example.org:9000.")
        private @Nullable URI endpoint;

        @Option(
                names = "--store-region",
                paramLabel = "NAME",
                description = "The bucket's region (default: AWS_REGION; at another endpoint us-east-1).")
        private @Nullable String region;

        @Option(
                names = "--store-virtual-hosts",
                description =
                        "At the endpoint, a bucket is a host's name: BUCKET.s3.example.org, not a part of the path.")
        private boolean virtualHosts;

        @Option(
                names = "--store-ca",
                paramLabel = "FILE",
                description = "Certificates (PEM) that vouch for the endpoint (default: Java's).")
        private @Nullable Path authority;

        @Option(
                names = "--store-plain-http",
                description = "Let requests go unencrypted to an endpoint on another machine.")
        private boolean plain;

        @Option(
                names = "--store-retention",
                paramLabel = "DAYS",
                description =
                        "Have the object store refuse to delete anything for so long after it was written, or after"
                                + " a collection found that it lives, such as 30d. The bucket must have Object Lock.")
        private @Nullable String retention;

        @Option(
                names = "--store-retention-mode",
                paramLabel = "MODE",
                description = "compliance: nobody can delete before (default). governance: nobody without the right to"
                        + " bypass it.")
        private @Nullable String mode;
    }

    /** What was said. */
    public S3Settings settings() {
        try {
            return new S3Settings(
                    Optional.ofNullable(values.endpoint),
                    Optional.ofNullable(values.region),
                    values.virtualHosts,
                    Optional.ofNullable(values.authority),
                    values.plain,
                    retention());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private Optional<Retention> retention() {
        if (values.retention == null) {
            if (values.mode != null) {
                throw new IllegalArgumentException("--store-retention-mode needs --store-retention");
            }
            return Optional.empty();
        }
        Retention.Mode mode = values.mode == null ? Retention.Mode.COMPLIANCE : Retention.Mode.parse(values.mode);
        return Optional.of(new Retention(Retention.parseTime(values.retention), mode));
    }
}
