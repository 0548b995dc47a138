// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.identity;

import static io.shredder.incoop.identity.Identities.differences;
import static io.shredder.incoop.identity.Identities.identity;
import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.incoop.identity.Identities.Change;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.security.TokenCache;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files, archives, library jars and secrets that a job brings along. */
class JobFilesIdentityTest {

    @TempDir
    File folder;

    @Test
    void theOrderOfCacheFilesCounts() throws Exception {
        URI a = file("a.txt", "one").toURI();
        URI b = file("b.txt", "two").toURI();

        assertThat(differences(files(a, b), files(b, a)))
                .singleElement()
                .asString()
                .contains("order.cache-files");
    }

    @Test
    void theOrderOfCacheFilesOfOneNameCounts() throws Exception {
        URI first = file("x/words.txt", "one").toURI();
        URI second = file("y/words.txt", "two").toURI();

        assertThat(differences(files(first, second), files(second, first))).isNotEmpty();
        assertThat(differences(files(first, first, second), files(first, second, second)))
                .isNotEmpty();
    }

    @Test
    void theOrderOfArchivesAndOfClassPathEntriesCounts() throws Exception {
        URI a = file("a.jar", "one").toURI();
        URI b = file("b.jar", "two").toURI();
        Change archives = job -> {
            job.addCacheArchive(a);
            job.addCacheArchive(b);
        };
        Change archivesTurned = job -> {
            job.addCacheArchive(b);
            job.addCacheArchive(a);
        };

        assertThat(differences(archives, archivesTurned)).hasSize(1);
        for (String key : new String[] {"mapreduce.job.classpath.files", "mapreduce.job.classpath.archives"}) {
            assertThat(differences(
                            job -> job.getConfiguration().set(key, a.getPath() + "," + b.getPath()),
                            job -> job.getConfiguration().set(key, b.getPath() + "," + a.getPath())))
                    .hasSize(1);
        }
    }

    @Test
    void theOrderOfLibraryJarsCountsThoughTheyAreSentAsOneFolder() throws Exception {
        assertThat(differences(
                        job -> job.getConfiguration().set("tmpjars", "file:/x/a.jar,file:/x/b.jar"),
                        job -> job.getConfiguration().set("tmpjars", "file:/x/b.jar,file:/x/a.jar")))
                .hasSize(1);
        assertThat(differences(
                        job -> job.getConfiguration().set("tmpjars", "file:/x/a.jar,file:/x/b.jar"),
                        job -> job.getConfiguration().set("tmpjars", "file:/y/a.jar,file:/y/b.jar")))
                .isEmpty();
    }

    @Test
    void theNameOfASymlinkCountsAndSoDoesTheFilesOwn() throws Exception {
        File words = file("words.txt", "one");
        File other = file("other.txt", "one");

        assertThat(differences(files(link(words, "allow")), files(link(words, "deny"))))
                .isNotEmpty();
        assertThat(differences(files(words.toURI()), files(link(words, "words"))))
                .isNotEmpty();
        assertThat(differences(files(link(words, "list")), files(link(other, "list"))))
                .isNotEmpty();
    }

    @Test
    void aCacheFileIsNotAnArchiveOfTheSameName() throws Exception {
        URI zip = file("words.zip", "one").toURI();

        assertThat(differences(files(zip), job -> job.addCacheArchive(zip))).isNotEmpty();
    }

    @Test
    void aSecretOfTheJobsOwnCountsAndIsNotShown() throws Exception {
        Change first = job -> job.getCredentials().addSecretKey(new Text("acme.salt"), "sesame".getBytes());
        Change second = job -> job.getCredentials().addSecretKey(new Text("acme.salt"), "barley".getBytes());

        assertThat(differences(first, second)).singleElement().asString().startsWith("secret.acme.salt ");
        assertThat(identity(first).document()).doesNotContain("sesame");
    }

    @Test
    void secretsAndTokensThatHadoopDrawsForASubmissionDoNotCount() throws Exception {
        assertThat(differences(job -> {
                    TokenCache.setShuffleSecretKey(new byte[] {1}, job.getCredentials());
                    TokenCache.setEncryptedSpillKey(new byte[] {2}, job.getCredentials());
                    token(job, "HDFS_DELEGATION_TOKEN", "1");
                    token(job, "RM_DELEGATION_TOKEN", "2");
                    token(job, "kms-dt", "3");
                }))
                .isEmpty();
    }

    @Test
    void aTokenOfAnotherKindCounts() throws Exception {
        assertThat(differences(job -> token(job, "ACME_SESSION", "1"), job -> token(job, "ACME_SESSION", "2")))
                .singleElement()
                .asString()
                .startsWith("token.ACME_SESSION.at ");
    }

    private static void token(Job job, String kind, String password) {
        job.getCredentials()
                .addToken(
                        new Text("at " + kind),
                        new Token<>(new byte[] {1}, password.getBytes(), new Text(kind), new Text("acme:1")));
    }

    private static Change files(URI... files) {
        return job -> {
            for (URI file : files) {
                job.addCacheFile(file);
            }
        };
    }

    private static URI link(File file, String name) {
        return URI.create(file.toURI() + "#" + name);
    }

    private File file(String name, String content) throws IOException {
        File file = new File(folder, name);
        Files.createDirectories(file.getParentFile().toPath());
        Files.writeString(file.toPath(), content);
        return file;
    }
}
