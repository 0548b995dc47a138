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
import java.util.Optional;
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
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/**
 * The way to an object store: clients and what they share.
 *
 * @param client for most requests; repeats what fails for a while
 * @param presigner for requests that are good for seconds only
 * @param http sends those
 */
record S3Connection(S3Client client, S3Presigner presigner, SdkHttpClient http) implements Closeable {

    /** With pauses that grow to 20 s: about a minute of an outage. */
    private static final int ATTEMPTS = 8;

    /** By which requests are signed where nobody says another. */
    private static final String USUAL_REGION = "us-east-1";

    static S3Connection open(S3Settings settings, RequestWatch watch) throws IOException {
        settings.check();
        SdkHttpClient http = http(settings);
        try {
            AwsCredentialsProvider credentials =
                    DefaultCredentialsProvider.builder().build();
            boolean paths = settings.endpoint().isPresent() && !settings.virtualHosts();
            Optional<Region> region = region(settings);
            S3ClientBuilder client = S3Client.builder()
                    .httpClient(http)
                    .credentialsProvider(credentials)
                    .forcePathStyle(paths)
                    .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                    .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                    .overrideConfiguration(
                            options -> options.addExecutionInterceptor(watch).retryStrategy(retries()));
            S3Presigner.Builder presigner = S3Presigner.builder()
                    .credentialsProvider(credentials)
                    .serviceConfiguration(S3Configuration.builder()
                            .pathStyleAccessEnabled(paths)
                            .build());
            settings.endpoint().ifPresent(client::endpointOverride);
            settings.endpoint().ifPresent(presigner::endpointOverride);
            region.ifPresent(client::region);
            region.ifPresent(presigner::region);
            return new S3Connection(client.build(), presigner.build(), http);
        } catch (SdkClientException e) {
            http.close();
            throw new IOException(
                    "there is no region: name one with --store-region, or in AWS_REGION: " + e.getMessage(), e);
        }
    }

    /** An answer in XML that breaks off is for the client one that can't be read, which it would not ask for again. */
    private static StandardRetryStrategy retries() {
        return AwsRetryStrategy.standardRetryStrategy().toBuilder()
                .maxAttempts(ATTEMPTS)
                .retryOnExceptionOrCauseInstanceOf(XMLStreamException.class)
                .build();
    }

    private static Optional<Region> region(S3Settings settings) {
        boolean anyWillDo = settings.endpoint().isPresent() && System.getenv("AWS_REGION") == null;
        return settings.region()
                .or(() -> anyWillDo ? Optional.of(USUAL_REGION) : Optional.empty())
                .map(Region::of);
    }

    private static SdkHttpClient http(S3Settings settings) throws IOException {
        Optional<SSLSocketFactory> sockets = settings.authority().isPresent()
                ? Optional.of(sockets(settings.authority().get()))
                : Optional.empty();
        return UrlConnectionHttpClient.create(
                new S3ConnectionFactory(ProxyConfiguration.builder().build(), sockets));
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
        presigner.close();
        http.close();
    }
}
