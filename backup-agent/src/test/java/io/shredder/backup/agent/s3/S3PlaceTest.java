// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses of object stores and how they are reached. */
class S3PlaceTest {

    @Test
    void bucketAndPrefixAreRead() throws IOException {
        assertThat(S3Place.parse(URI.create("s3://backup-site1/shredder/vm/")))
                .isEqualTo(new S3Place("backup-site1", "shredder/vm"));
        assertThat(S3Place.parse(URI.create("S3A://backup.site1"))).isEqualTo(new S3Place("backup.site1", ""));
        assertThat(S3Place.isMeant(URI.create("S3a://x/y"))).isTrue();
        assertThat(S3Place.isMeant(URI.create("hdfs://x/y"))).isFalse();
        S3Place place = new S3Place("b", "p/q");
        assertThat(place.key("containers/x")).isEqualTo("p/q/containers/x");
        assertThat(place.name("p/q/containers/x")).isEqualTo("containers/x");
        assertThat(place).hasToString("s3://b/p/q");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "s3:///x",
                "s3://UPPER/x",
                "s3://ab/x",
                "s3://bucket:443/x",
                "s3://b_c/x",
                "s3://bucket/a//b",
                "s3://bucket/a/../b",
                "s3://bucket/a%20b",
                "s3://bucket/x?versions",
                "s3://bucket/x#y",
                "s3:bucket"
            })
    void whatIsNoAddressIsRefused(String store) {
        assertThatThrownBy(() -> S3Place.parse(URI.create(store)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(store)
                .hasMessageContaining("as in s3://backup-site1/shredder");
    }

    @Test
    void keysInAnAddressAreRefusedAndNotRepeated() {
        assertThatThrownBy(() -> S3Place.parse(URI.create("s3://AKIA:secret@bucket/x")))
                .hasMessageContaining("must not have keys in it")
                .hasMessageNotContaining("secret@")
                .hasMessageNotContaining("AKIA");
    }

    private static S3Settings at(String endpoint, boolean plain) {
        return new S3Settings(
                Optional.of(URI.create(endpoint)), Optional.empty(), false, Optional.empty(), plain, Optional.empty());
    }

    @Test
    void whatIsNotEncryptedGoesToThisMachineOnlyUnlessThatIsAskedFor() throws IOException {
        at("https://s3.example.org:9000", false).check();
        at("http://127.0.0.1:9000", false).check();
        at("http://192.0.2.1:9000", true).check();
        assertThatThrownBy(() -> at("http://192.0.2.1:9000", false).check())
                .hasMessageContaining("http://192.0.2.1:9000 isn't encrypted")
                .hasMessageContaining("--store-plain-http");
        for (String bad : new String[] {"s3.example.org", "ftp://s3.example.org", "https://a:b@c", "https:///x"}) {
            assertThatThrownBy(() -> at(bad, true).check()).hasMessageContaining("is not an address");
        }
    }

    @Test
    void aFileOfAuthoritiesThatIsNotThereIsNamed() {
        S3Settings settings = new S3Settings(
                Optional.empty(),
                Optional.of("eu-central-1"),
                false,
                Optional.of(Path.of("/no/such/ca.pem")),
                false,
                Optional.empty());
        assertThatThrownBy(settings::check).hasMessageContaining("--store-ca /no/such/ca.pem can't be read");
    }

    @Test
    void retentionIsInDaysAndAModeHasAName() {
        assertThat(Retention.parseTime("30d")).isEqualTo(Duration.ofDays(30));
        for (String bad : new String[] {"0d", "30", "30h", "-1d", "99999d", ""}) {
            assertThatThrownBy(() -> Retention.parseTime(bad))
                    .hasMessageContaining("'" + bad + "' is not a time of retention");
        }
        assertThat(Retention.Mode.parse("governance")).isEqualTo(Retention.Mode.GOVERNANCE);
        assertThatThrownBy(() -> Retention.Mode.parse("COMPLIANCE")).hasMessageContaining("compliance or governance");
    }
}
