// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.http.auth.aws.scheme.AwsV4AuthScheme;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner.AuthLocation;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.scheme.AuthScheme;
import software.amazon.awssdk.http.auth.spi.signer.AsyncSignRequest;
import software.amazon.awssdk.http.auth.spi.signer.AsyncSignedRequest;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignRequest;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.IdentityProvider;
import software.amazon.awssdk.identity.spi.IdentityProviders;

/**
 * Signs requests so that an object store obeys them for a short time only. A usual signature is good for a quarter of
 * an hour. These say in the request's address when they were made, by the object store's own clock, so that it doesn't
 * matter what this machine's clock says. Safe for any number of threads.
 *
 * @param usual what is asked for all but the time
 * @param watch knows what time the object store says it is
 * @param validity how long a signature is good
 */
record BriefSignatures(AwsV4AuthScheme usual, RequestWatch watch, Duration validity)
        implements AuthScheme<AwsCredentialsIdentity>, HttpSigner<AwsCredentialsIdentity> {

    BriefSignatures(RequestWatch watch, Duration validity) {
        this(AwsV4AuthScheme.create(), watch, validity);
    }

    @Override
    public String schemeId() {
        return usual.schemeId();
    }

    @Override
    public IdentityProvider<AwsCredentialsIdentity> identityProvider(IdentityProviders providers) {
        return usual.identityProvider(providers);
    }

    @Override
    public HttpSigner<AwsCredentialsIdentity> signer() {
        return this;
    }

    @Override
    public SignedRequest sign(SignRequest<? extends AwsCredentialsIdentity> request) {
        return usual.signer().sign(brief(request));
    }

    private <T extends AwsCredentialsIdentity> SignRequest<T> brief(SignRequest<T> request) {
        return request.toBuilder()
                .putProperty(AwsV4HttpSigner.AUTH_LOCATION, AuthLocation.QUERY_STRING)
                .putProperty(AwsV4HttpSigner.EXPIRATION_DURATION, validity)
                .putProperty(AwsV4HttpSigner.PAYLOAD_SIGNING_ENABLED, false)
                .putProperty(HttpSigner.SIGNING_CLOCK, Clock.fixed(watch.now(), ZoneOffset.UTC))
                .build();
    }

    @Override
    public CompletableFuture<AsyncSignedRequest> signAsync(AsyncSignRequest<? extends AwsCredentialsIdentity> request) {
        throw new UnsupportedOperationException("requests here are sent by the thread that asks");
    }
}
