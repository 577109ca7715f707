package dev.bluebell.cli.devx;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;

import dev.bluebell.conformance.BenchExtension;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.ClassNameFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Runs tests of the conformance suite on a device that its process has. */
final class ConformanceRun {
  private static final String SUITE = "dev.bluebell.conformance";

  private ConformanceRun() {}

  /**
   * @param arguments the device, and names of classes; all without any
   */
  public static void main(String[] arguments) {
    List<DiscoverySelector> selectors = new ArrayList<>();
    for (int i = 1; i < arguments.length; i++) {
      selectors.add(selectClass(SUITE + "." + arguments[i]));
    }
    if (selectors.isEmpty()) {
      selectors.add(selectPackage(SUITE));
    }
    SummaryGeneratingListener summary = new SummaryGeneratingListener();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .configurationParameter(BenchExtension.DEVICE, arguments[0])
                .configurationParameter("junit.jupiter.execution.timeout.default", "5 m")
                .configurationParameter(
                    "junit.jupiter.execution.timeout.threaddump.enabled", "true")
                .selectors(selectors)
                // DevX does not let processes ask for the counters of queues.
                .filters(ClassNameFilter.excludeClassNamePatterns(".*\\.CountersTest"))
                .build(),
            summary,
            new Failures());
    summary.getSummary().printTo(new PrintWriter(System.out, true, StandardCharsets.UTF_8));
    boolean good =
        summary.getSummary().getTotalFailureCount() == 0
            && summary.getSummary().getTestsSucceededCount() > 0;
    System.exit(good ? 0 : 1);
  }

  /** Prints what failed. */
  private static final class Failures implements TestExecutionListener {
    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      if (result.getStatus() == TestExecutionResult.Status.FAILED) {
        System.out.println(test.getUniqueId());
        result.getThrowable().ifPresent(failure -> failure.printStackTrace(System.out));
      }
    }
  }
}
