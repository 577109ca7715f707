package dev.bluebell.cli.conformance;

import dev.bluebell.conformance.BenchExtension;
import dev.bluebell.conformance.ExpectsDelivery;
import dev.bluebell.conformance.ExpectsRefusal;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.discovery.PackageNameFilter;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * The selected conformance tests.
 *
 * @param device name of the device
 * @param loses true when the device's fabric loses packets
 * @param only patterns of classes, or of methods after a dot, in which * stands for anything; empty
 *     for all tests
 */
record Suite(String device, boolean loses, List<String> only) {
  /** No test of a working device takes this long. */
  private static final String TIMEOUT = "5 m";

  /** Package of suites that run all the tests on one device each; it is left out. */
  private static final String BINDINGS = "dev.bluebell.conformance.binding";

  /** Runs the tests, one after another, in this thread. */
  void run(ConformanceText text) {
    LauncherFactory.create().execute(request(), new CaseListener(text));
  }

  private LauncherDiscoveryRequest request() {
    LauncherDiscoveryRequestBuilder builder =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(selector())
            .configurationParameter(BenchExtension.DEVICE, device)
            .configurationParameter(BenchExtension.LOSES, Boolean.toString(loses))
            .configurationParameter("junit.jupiter.execution.timeout.default", TIMEOUT)
            .filters(PackageNameFilter.excludePackageNames(BINDINGS))
            .filters((PostDiscoveryFilter) this::filter);
    return loses
        ? builder.filters(TagFilter.excludeTags(ExpectsRefusal.TAG, ExpectsDelivery.TAG)).build()
        : builder.build();
  }

  private static DiscoverySelector selector() {
    Module module = BenchExtension.class.getModule();
    return module.isNamed()
        ? DiscoverySelectors.selectModule(module.getName())
        : DiscoverySelectors.selectPackage(BenchExtension.class.getPackageName());
  }

  private FilterResult filter(TestDescriptor test) {
    Optional<MethodSource> method =
        test.getSource().filter(MethodSource.class::isInstance).map(MethodSource.class::cast);
    return FilterResult.includedIf(
        only.isEmpty() || method.isEmpty() || method.filter(this::isChosen).isPresent());
  }

  private boolean isChosen(MethodSource method) {
    String suite = method.getClassName().substring(method.getClassName().lastIndexOf('.') + 1);
    String name = suite + "." + method.getMethodName();
    return only.stream()
        .map(Suite::pattern)
        .anyMatch(wanted -> wanted.matcher(suite).matches() || wanted.matcher(name).matches());
  }

  private static Pattern pattern(String text) {
    return Pattern.compile(Pattern.quote(text).replace("*", "\\E.*\\Q"), Pattern.CASE_INSENSITIVE);
  }
}
