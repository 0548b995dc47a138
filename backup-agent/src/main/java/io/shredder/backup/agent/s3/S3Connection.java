// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import javax.xml.stream.XMLStreamException;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.urlconnection.ProxyConfiguration;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.StandardRetryStrategy;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * The way to an object store: clients and what they share.
 *
 * @param client for most requests; repeats what fails for a while
 * @param deletions the same for deletions, which no object store obeys that gets them late
 * @param http sends them
 */
record S3Connection(S3Client client, S3Client deletions, SdkHttpClient http) implements Closeable {

    /** With pauses that grow to 20 s: about a minute of an outage. */
    private static final int ATTEMPTS = 8;

    /** After which an object store that neither sends nor takes a byte is taken for dead. */
    private static final Duration SILENCE = Duration.ofSeconds(30);

    /** After which nobody obeys a deletion that was on its way; less than a takeover takes longer than a hold lasts. */
    private static final Duration DELETION_VALIDITY = Duration.ofSeconds(10);

    /** By which requests are signed where nobody says another. */
    private static final String USUAL_REGION = "us-east-1";

    static S3Connection open(S3Settings settings, RequestWatch watch) throws IOException {
        settings.check();
        SdkHttpClient http = http(settings);
        try {
            AwsCredentialsProvider credentials =
                    DefaultCredentialsProvider.builder().build();
            S3Client client =
                    client(settings, http, credentials, watch, retries()).build();
            S3Client deletions = client(settings, http, credentials, watch, retriesOfDeletions())
                    .putAuthScheme(new BriefSignatures(watch, DELETION_VALIDITY))
                    .build();
            return new S3Connection(client, deletions, http);
        } catch (SdkClientException e) {
            http.close();
            throw new IOException(
                    "there is no region: name one with --store-region, or in AWS_REGION: " + e.getMessage(), e);
        }
    }

    private static S3ClientBuilder client(
            S3Settings settings,
            SdkHttpClient http,
            AwsCredentialsProvider credentials,
            RequestWatch watch,
            StandardRetryStrategy retries) {
        S3ClientBuilder client = S3Client.builder()
                .httpClient(http)
                .credentialsProvider(credentials)
                .forcePathStyle(settings.endpoint().isPresent() && !settings.virtualHosts())
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .overrideConfiguration(
                        options -> options.addExecutionInterceptor(watch).retryStrategy(retries));
        settings.endpoint().ifPresent(client::endpointOverride);
        region(settings).ifPresent(client::region);
        return client;
    }

    /** An answer in XML that breaks off is for the client one that can't be read, which it would not ask for again. */
    private static StandardRetryStrategy retries() {
        return AwsRetryStrategy.standardRetryStrategy().toBuilder()
                .maxAttempts(ATTEMPTS)
                .retryOnExceptionOrCauseInstanceOf(XMLStreamException.class)
                .build();
    }

    /** Of two that come at once, an object store may tell one to come again. */
    private static StandardRetryStrategy retriesOfDeletions() {
        return retries().toBuilder()
                .retryOnException(
                        error -> error instanceof S3Exception refused && refused.statusCode() == S3Errors.CONFLICT)
                .build();
    }

    private static Optional<Region> region(S3Settings settings) {
        boolean anyWillDo = settings.endpoint().isPresent() && System.getenv("AWS_REGION") == null;
        return settings.region()
                .or(() -> anyWillDo ? Optional.of(USUAL_REGION) : Optional.empty())
                .map(Region::of);
    }

    private static SdkHttpClient http(S3Settings settings) throws IOException {
        SSLSocketFactory sockets = settings.authority().isPresent()
                ? sockets(settings.authority().get())
                : HttpsURLConnection.getDefaultSSLSocketFactory();
        return UrlConnectionHttpClient.create(
                new S3ConnectionFactory(ProxyConfiguration.builder().build(), new BreakableSockets(sockets), SILENCE));
    }

    private static SSLSocketFactory sockets(Path authority) throws IOException {
        try {
            SSLContext tls = SSLContext.getInstance("TLS");
            tls.init(null, trust(authority).getTrustManagers(), null);
            return tls.getSocketFactory();
        } catch (GeneralSecurityException e) {
            throw new IOException("--store-ca " + authority + " can't be used: " + e.getMessage(), e);
        }
    }

    private static TrustManagerFactory trust(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int number = 0;
            for (Certificate certificate :
                    CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("authority-" + number++, certificate);
            }
            if (number == 0) {
                throw new IOException("--store-ca " + file + " has no certificate: name a file of certificates (PEM)");
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            return trust;
        } catch (GeneralSecurityException e) {
            throw new IOException("--store-ca " + file + " can't be read as certificates (PEM): " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        client.close();
        deletions.close();
        http.close();
    }
}
