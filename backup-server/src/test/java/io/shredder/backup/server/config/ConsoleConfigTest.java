// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.shredder.backup.config.ConfigException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConsoleConfigTest {

    private static final Path FILE = Path.of("/etc/shredder/backup-server.yaml");
    private static final String REST =
            """
            version: 1
            agent: {address: 'backup.example.org:7420', certificate: c.crt, key: c.key, authority: ca.crt}
            state: /var/lib/shredder
            repository-key: {file: backup.key}
            jobs: {nightly: {images: {web1: {file: web1.raw}}}}
            """;

    private static ServerConfig read(String console) throws ConfigException {
        return ServerConfigReader.parse(FILE, REST + console);
    }

    private static List<String> problems(String console) {
        ConfigException error = catchThrowableOfType(ConfigException.class, () -> read(console));
        assertThat(error).as(console).isNotNull();
        return error.problems();
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:7425", "localhost:7425", "[::1]:7425", "127.0.0.9:0"})
    void onALoopbackAddressNobodyNeedsACertificate(String listen) throws ConfigException {
        ConsoleConfig console =
                read("console: {listen: '" + listen + "'}\n").console().orElseThrow();
        assertThat(console.listen()).hasToString(listen);
        assertThat(console.access()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0:7425", "[::]:7425", "10.0.0.1:7425", "site1.example:7425", "127.evil.example:1"})
    void elsewhereItIsRefusedWithoutCertificatesAndTheRemedyIsNamed(String listen) {
        assertThat(problems("console: {listen: '" + listen + "'}\n"))
                .singleElement()
                .asString()
                .contains("'" + listen + "' can be reached from other machines", "listen on 127.0.0.1", "'people'");
    }

    @Test
    void elsewherePeopleWithACertificateLook() throws ConfigException {
        ServerConfig config = read(
                "console: {listen: '0.0.0.0:7425', certificate: s.crt, key: s.key, authority: /ca.crt, people: [alice, bob]}\n");
        ConsoleConfig.Access access = config.console().orElseThrow().access().orElseThrow();
        assertThat(access.people()).containsExactlyInAnyOrder("alice", "bob");
        assertThat(access.tls().certificate()).hasToString("/etc/shredder/s.crt");
        assertThat(access.tls().authority()).hasToString("/ca.crt");
        assertThat(config.sameUntilRestart(read(""))).isFalse();
        assertThat(read("").console()).isEmpty();
    }

    @Test
    void somePeopleMayDoSomething() throws ConfigException {
        String start =
                "console: {listen: '127.0.0.1:7425', certificate: s.crt, key: s.key, authority: ca.crt, people: [alice, bob]";
        ConsoleConfig console =
                read(start + ", actions: {alice: [run, pause]}}\n").console().orElseThrow();
        assertThat(console.access().orElseThrow().actions())
                .isEqualTo(Map.of("alice", Set.of(ConsoleAction.RUN, ConsoleAction.PAUSE)));
        assertThat(read(start + "}\n")
                        .console()
                        .orElseThrow()
                        .access()
                        .orElseThrow()
                        .actions())
                .isEmpty();
        assertThat(problems(start + ", actions: {alice: [run, delete], carol: [run]}}\n"))
                .anyMatch(problem ->
                        problem.contains("'delete' is no action: give some of run, stop, pause, restore, open, files"))
                .anyMatch(problem -> problem.contains("unknown key 'console.actions.carol'"));
        assertThat(problems("console: {listen: '127.0.0.1:7425', actions: {alice: [run]}}\n"))
                .anyMatch(problem -> problem.contains("'console.certificate' is missing"));
    }

    @Test
    void peopleRestoreOnlyToAFolderThatIsNamed() throws ConfigException {
        String start =
                "console: {listen: '127.0.0.1:7425', certificate: s.crt, key: s.key, authority: ca.crt, people: [alice],"
                        + " actions: {alice: [restore]}";
        assertThat(read(start + ", restore-to: /srv/restored}\n")
                        .console()
                        .orElseThrow()
                        .restoreTo()
                        .orElseThrow())
                .hasToString("/srv/restored");
        assertThat(problems(start + "}\n"))
                .singleElement()
                .asString()
                .contains(
                        "lets people restore, and nothing says where to: name a folder of theirs as 'console.restore-to'");
        assertThat(problems("console: {listen: '127.0.0.1:7425', restore-to: /srv/restored}\n"))
                .anyMatch(problem -> problem.contains("'console.certificate' is missing"));
    }

    @Test
    void everyMistakeIsNamed() {
        assertThat(problems("console: {listen: 'here', people: ['a b'], port: 1}\n"))
                .anyMatch(problem -> problem.contains("'here' is not HOST:PORT"))
                .anyMatch(problem -> problem.contains("'console.certificate' is missing"))
                .anyMatch(problem -> problem.contains("'console.key' is missing"))
                .anyMatch(problem -> problem.contains("'console.authority' is missing"))
                .anyMatch(problem -> problem.contains("name 'a b' is not allowed"))
                .anyMatch(problem -> problem.contains("unknown key 'console.port'"));
        assertThat(problems("console: {listen: '10.0.0.1:1', certificate: c, key: k, authority: a}\n"))
                .singleElement()
                .asString()
                .contains("'people' names nobody");
    }
}
