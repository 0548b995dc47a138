// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * A test, or each test of a class, that is too long for every day: it runs on one day in so many, by its name and the
 * day's number in UTC, so that in as many days each has run, and all of a day fail again the same day. Of a test with
 * parameters one set in so many runs. With {@code ./run test --long} all run.
 *
 * <p>It is for tests whose neighbours go the same way through the code each day.
 */
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(InTurn.Turn.class)
public @interface InTurn {

    /** In how many days its turn comes once. */
    int days();

    /** Decides by the day whether it is a test's turn. */
    final class Turn implements ExecutionCondition {

        private static final Pattern INVOCATION = Pattern.compile(".*\\[test-template-invocation:#(\\d+)]");

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            String id = context.getUniqueId();
            boolean one = id.contains("[method:") || INVOCATION.matcher(id).matches();
            if (!one || LongTests.askedFor()) {
                return ConditionEvaluationResult.enabled("any day");
            }
            int days = days(context);
            return isTurn(id, days, LocalDate.now(ZoneOffset.UTC).toEpochDay())
                    ? ConditionEvaluationResult.enabled("today")
                    : ConditionEvaluationResult.disabled(
                            "runs once in " + days + " days, and not today; " + LongTests.VARIABLE + "=1 runs it");
        }

        /** The method's own, or those of the nearest class about it. */
        private static int days(ExtensionContext context) {
            Optional<InTurn> found = AnnotationSupport.findAnnotation(context.getElement(), InTurn.class);
            Class<?> about = context.getRequiredTestClass();
            while (found.isEmpty()) {
                found = AnnotationSupport.findAnnotation(about, InTurn.class);
                about = about.getEnclosingClass();
            }
            return found.get().days();
        }

        /** Sets of parameters follow each other day by day; names begin anywhere. */
        static boolean isTurn(String id, int days, long day) {
            Matcher invocation = INVOCATION.matcher(id);
            String test = id.replaceFirst("/\\[test-template-invocation:.*", "");
            long place = invocation.matches() ? Long.parseLong(invocation.group(1)) : 0;
            return Math.floorMod(test.hashCode() + place + day, (long) days) == 0;
        }
    }
}
