// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.s3.model.ExpirationStatus;
import software.amazon.awssdk.services.s3.model.GetObjectLockConfigurationResponse;
import software.amazon.awssdk.services.s3.model.LifecycleRule;
import software.amazon.awssdk.services.s3.model.LifecycleRuleAndOperator;
import software.amazon.awssdk.services.s3.model.LifecycleRuleFilter;
import software.amazon.awssdk.services.s3.model.ObjectLockEnabled;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Whether a bucket does what a store needs, before anything is written there. */
final class BucketChecks {

    private static final Logger LOG = LoggerFactory.getLogger(BucketChecks.class);

    private final S3Objects objects;
    private final S3Place place;

    BucketChecks(S3Objects objects) {
        this.objects = objects;
        this.place = objects.place();
    }

    void run() throws IOException {
        if (objects.retention().isPresent()) {
            requireLocks();
        }
        refuseHarmfulRules(rules());
    }

    private void requireLocks() throws IOException {
        boolean locks;
        try {
            GetObjectLockConfigurationResponse found =
                    objects.ask("asking for locks of", "the bucket", () -> objects.client()
                            .getObjectLockConfiguration(get -> get.bucket(place.bucket())));
            locks = found.objectLockConfiguration() != null
                    && found.objectLockConfiguration().objectLockEnabled() == ObjectLockEnabled.ENABLED;
        } catch (NoSuchFileException e) {
            locks = false;
        } catch (IOException e) {
            if (!(e.getCause() instanceof S3Exception refused) || refused.statusCode() == 403) {
                throw e;
            }
            locks = false;
        }
        if (!locks) {
            throw new IOException("bucket " + place.bucket() + " has no Object Lock, so that --store-retention would"
                    + " promise nothing: make a bucket with Object Lock, which can be said only when it is made"
                    + " (aws s3api create-bucket --object-lock-enabled-for-bucket), or leave --store-retention out");
        }
    }

    /** Empty where the object store has none, or doesn't say. */
    private List<LifecycleRule> rules() throws IOException {
        try {
            return objects.ask("asking for lifecycle rules of", "the bucket", () -> objects.client()
                            .getBucketLifecycleConfiguration(get -> get.bucket(place.bucket())))
                    .rules();
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            if (!(e.getCause() instanceof S3Exception refused)) {
                throw e;
            }
            LOG.warn(
                    "bucket {}: its lifecycle rules can't be read ({}): see that none deletes or moves what is below {}",
                    place.bucket(),
                    S3Errors.code(refused),
                    place);
            return List.of();
        }
    }

    private void refuseHarmfulRules(List<LifecycleRule> rules) throws IOException {
        for (LifecycleRule rule : rules) {
            Optional<String> harm = harm(rule);
            if (rule.status() == ExpirationStatus.ENABLED && harm.isPresent() && mayMeet(rule)) {
                throw new IOException("bucket " + place.bucket() + ": its lifecycle rule '" + rule.id() + "' "
                        + harm.get() + ", which would lose backups below " + place
                        + ": take it away, or limit it to keys elsewhere; the agent deletes by itself what nothing"
                        + " needs");
            }
        }
    }

    private static Optional<String> harm(LifecycleRule rule) {
        boolean expires = rule.expiration() != null
                && (rule.expiration().days() != null || rule.expiration().date() != null);
        if (expires) {
            return Optional.of("deletes objects by their age");
        }
        boolean archives = rule.transitions().stream()
                .anyMatch(to -> to.storageClassAsString().equals("GLACIER")
                        || to.storageClassAsString().equals("DEEP_ARCHIVE"));
        return archives ? Optional.of("moves objects into an archive") : Optional.empty();
    }

    /** Whether it is of keys below the prefix. Limits by tags don't count: objects here have none, but may get some. */
    @SuppressWarnings("deprecation") // Older rules have their prefix there.
    private boolean mayMeet(LifecycleRule rule) {
        LifecycleRuleFilter filter = rule.filter();
        LifecycleRuleAndOperator and = filter == null ? null : filter.and();
        String of = rule.prefix();
        if (filter != null && filter.prefix() != null) {
            of = filter.prefix();
        } else if (and != null && and.prefix() != null) {
            of = and.prefix();
        }
        String mine = place.key("");
        return of == null || of.startsWith(mine) || mine.startsWith(of);
    }
}
