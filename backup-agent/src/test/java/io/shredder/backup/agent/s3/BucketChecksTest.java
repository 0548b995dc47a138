// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lifecycle rules, which the object store of the other tests doesn't know: its answers here are Amazon's. */
class BucketChecksTest {

    private static final String NONE =
            "<Error><Code>NoSuchLifecycleConfiguration</Code><Message>There is none</Message></Error>";
    private static final String DENIED = "<Error><Code>AccessDenied</Code><Message>No</Message></Error>";

    private HttpServer server;
    private int status = 200;
    private String answer = "";

    @BeforeEach
    void start() throws IOException {
        System.setProperty("aws.accessKeyId", S3Server.ACCESS);
        System.setProperty("aws.secretAccessKey", S3Server.SECRET);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] body = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void check(String prefix) throws IOException {
        S3Settings settings = new S3Settings(
                Optional.of(URI.create("http://127.0.0.1:" + server.getAddress().getPort())),
                Optional.empty(),
                false,
                Optional.empty(),
                false,
                Optional.empty());
        try (S3Objects objects = new S3Objects(new S3Place("bucket", prefix), settings, 1 << 20)) {
            new BucketChecks(objects).run();
        }
    }

    private void rule(String filter, String action, String ruleStatus) {
        answer = "<LifecycleConfiguration xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Rule><ID>clean up</ID>"
                + filter + "<Status>" + ruleStatus + "</Status>" + action + "</Rule></LifecycleConfiguration>";
    }

    private static final String EXPIRES = "<Expiration><Days>30</Days></Expiration>";
    private static final String ARCHIVES =
            "<Transition><Days>30</Days><StorageClass>GLACIER</StorageClass></Transition>";

    private void assertRefused(String prefix, String why) {
        assertThatThrownBy(() -> check(prefix))
                .hasMessageContaining("bucket bucket: its lifecycle rule 'clean up' " + why)
                .hasMessageContaining("take it away, or limit it to keys elsewhere");
    }

    @Test
    void rulesThatWouldLoseBackupsAreRefused() {
        rule("<Filter><Prefix></Prefix></Filter>", EXPIRES, "Enabled");
        assertRefused("backup", "deletes objects by their age");
        rule("<Filter><Prefix>backup/containers</Prefix></Filter>", EXPIRES, "Enabled");
        assertRefused("backup", "deletes objects by their age");
        rule("<Prefix>back</Prefix>", EXPIRES, "Enabled");
        assertRefused("backup", "deletes objects by their age");
        rule(
                "<Filter><And><Prefix>backup/</Prefix><Tag><Key>a</Key><Value>b</Value></Tag></And></Filter>",
                ARCHIVES,
                "Enabled");
        assertRefused("backup", "moves objects into an archive");
        rule("", EXPIRES, "Enabled");
        assertRefused("", "deletes objects by their age");
    }

    @Test
    void harmlessRulesPass() throws IOException {
        rule("<Filter><Prefix>logs/</Prefix></Filter>", EXPIRES, "Enabled");
        check("backup");
        rule("<Filter><Prefix></Prefix></Filter>", EXPIRES, "Disabled");
        check("backup");
        rule(
                "<Filter><Prefix></Prefix></Filter>",
                "<AbortIncompleteMultipartUpload><DaysAfterInitiation>7</DaysAfterInitiation>"
                        + "</AbortIncompleteMultipartUpload><NoncurrentVersionExpiration><NoncurrentDays>40</NoncurrentDays>"
                        + "</NoncurrentVersionExpiration><Expiration><ExpiredObjectDeleteMarker>true"
                        + "</ExpiredObjectDeleteMarker></Expiration>",
                "Enabled");
        check("backup");
        rule(
                "<Filter><Prefix></Prefix></Filter>",
                "<Transition><Days>30</Days><StorageClass>STANDARD_IA</StorageClass></Transition>",
                "Enabled");
        check("backup");
        status = 404;
        answer = NONE;
        check("backup");
        status = 403;
        answer = DENIED;
        check("backup");
    }
}
