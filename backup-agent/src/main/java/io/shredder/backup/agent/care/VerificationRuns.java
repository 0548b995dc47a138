// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.care;

import io.shredder.backup.agent.session.StoreVerification;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.care.CareLedger;
import io.shredder.backup.care.VerificationTurn;
import io.shredder.backup.pace.Pace;
import io.shredder.backup.schedule.Planned;
import io.shredder.backup.schedule.RunTimes;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.VerifyScope;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what is kept when it is time, a part a run.
 *
 * @param repository whose
 * @param config when and how
 * @param pace of what is read
 * @param ledger how far it is
 * @param clock of this machine
 * @param figures what it shows
 */
record VerificationRuns(
        Repository repository,
        AgentCareConfig.Verification config,
        Pace pace,
        CareLedger ledger,
        Clock clock,
        CareFigures figures)
        implements Planned {

    private static final Logger LOG = LoggerFactory.getLogger(VerificationRuns.class);

    @Override
    public String name() {
        return "verify";
    }

    @Override
    public RunTimes times() {
        return config.times();
    }

    @Override
    public boolean mayRunTwice() {
        return true;
    }

    @Override
    public Run begin() {
        return new CareRun(name(), figures) {
            @Override
            boolean take() throws IOException {
                return verify(this);
            }
        };
    }

    private boolean verify(CareRun run) throws IOException {
        try (StoreVerification verification = new StoreVerification(repository)) {
            VerificationTurn.Store store = new VerificationTurn.Store() {
                @Override
                public long chunks() {
                    return repository.chunks().index().size();
                }

                @Override
                public Answer.Verified verify(long cursor) throws IOException {
                    Answer.Verified part = verification.next(VerifyScope.EVERYTHING, cursor);
                    run.holdBack(pace, part.bytes());
                    return part;
                }
            };
            VerificationTurn.Result read =
                    new VerificationTurn(ledger, name(), config.allIn(), clock).run(store, run::isEnded);
            run.set("verified.bytes", read.bytes());
            run.set("verified.chunks", read.chunks());
            run.set("pass.began.timestamp.seconds", read.passBegan().getEpochSecond());
            List<String> problems =
                    read.open().stream().flatMap(List::stream).distinct().toList();
            run.set("problems", problems.size());
            problems.forEach(problem -> LOG.error("care verify: {}", problem));
            read.late().ifPresent(late -> LOG.error("care verify: {}", late));
            LOG.info("care verify: {} bytes read", read.bytes());
            return problems.isEmpty() && read.late().isEmpty();
        }
    }
}
