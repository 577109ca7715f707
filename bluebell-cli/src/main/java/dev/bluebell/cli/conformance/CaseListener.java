package dev.bluebell.cli.conformance;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/** Turns JUnit's events into cases, for tests that run one after another. */
final class CaseListener implements TestExecutionListener {
  /** Prefix that JUnit puts before the reason of a failed assumption. */
  private static final String ASSUMPTION = "Assumption failed: ";

  private final ConformanceText text;
  private final Map<String, Long> starts = new HashMap<>();
  private @Nullable TestPlan plan;

  CaseListener(ConformanceText text) {
    this.text = text;
  }

  private static Optional<String> suiteOf(TestIdentifier test) {
    return test.getSource().flatMap(CaseListener::className).map(CaseListener::simpleName);
  }

  private static Optional<String> className(TestSource source) {
    return switch (source) {
      case MethodSource method -> Optional.of(method.getClassName());
      case ClassSource type -> Optional.of(type.getClassName());
      default -> Optional.empty();
    };
  }

  private static String simpleName(String className) {
    return className.substring(className.lastIndexOf('.') + 1);
  }

  private static String nameOf(TestIdentifier test) {
    String shown = test.getDisplayName();
    return test.getSource()
        .filter(MethodSource.class::isInstance)
        .map(source -> ((MethodSource) source).getMethodName())
        .map(method -> shown.startsWith(method + "(") ? method : method + " " + shown)
        .orElse(shown);
  }

  private static boolean isMethod(TestIdentifier test) {
    return test.getSource().filter(MethodSource.class::isInstance).isPresent();
  }

  private static boolean isClass(TestIdentifier test) {
    return test.getSource().filter(ClassSource.class::isInstance).isPresent();
  }

  @Override
  public void executionStarted(TestIdentifier test) {
    starts.put(test.getUniqueId(), System.nanoTime());
    if (test.isTest()) {
      text.begins(suiteOf(test).orElse(""), nameOf(test));
    }
  }

  @Override
  public void executionSkipped(TestIdentifier skipped, String reason) {
    Stream.concat(Stream.of(skipped), descendants(skipped))
        .filter(CaseListener::isMethod)
        .forEach(test -> end(test, Outcome.SKIPPED, reason, ""));
    if (isClass(skipped)) {
      text.classEnded(suiteOf(skipped).orElse(""));
    }
  }

  private Stream<TestIdentifier> descendants(TestIdentifier container) {
    return plan == null ? Stream.empty() : plan.getDescendants(container).stream();
  }

  @Override
  public void testPlanExecutionStarted(TestPlan started) {
    plan = started;
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    String message = result.getThrowable().map(CaseListener::message).orElse("");
    switch (result.getStatus()) {
      case SUCCESSFUL -> {
        if (test.isTest()) {
          end(test, Outcome.PASSED, "", "");
        }
      }
      case ABORTED -> end(test, Outcome.SKIPPED, message, "");
      case FAILED ->
          end(
              test,
              Outcome.FAILED,
              message,
              result.getThrowable().map(CaseListener::trace).orElse(""));
    }
    if (isClass(test)) {
      text.classEnded(suiteOf(test).orElse(""));
    }
  }

  private void end(TestIdentifier test, Outcome outcome, String reason, String trace) {
    long now = System.nanoTime();
    long start = starts.getOrDefault(test.getUniqueId(), now);
    text.ended(
        new Case(
            suiteOf(test).orElse(""),
            nameOf(test),
            outcome,
            reason,
            trace,
            TimeUnit.NANOSECONDS.toMillis(now - start)));
  }

  private static String message(Throwable failure) {
    String message = failure.getMessage();
    return message == null
        ? failure.toString()
        : message.startsWith(ASSUMPTION) ? message.substring(ASSUMPTION.length()) : message;
  }

  private static String trace(Throwable failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text));
    return text.toString();
  }
}
