package dev.bluebell.conformance;

import dev.bluebell.verbs.Device;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives each test a {@link Bench} over a device of its own, closed when the test is over. */
public final class BenchExtension implements ParameterResolver {
  /** Configuration parameter that names the device; without it the preferred device is tested. */
  public static final String DEVICE = "bluebell.conformance.device";

  /** Configuration parameter that is true when the device's fabric loses packets. */
  public static final String LOSES = "bluebell.conformance.loses";

  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(BenchExtension.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Bench.class;
  }

  @Override
  public Bench resolveParameter(ParameterContext parameter, ExtensionContext context) {
    // The store closes what it holds when the test's context ends.
    return context
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(
            Bench.class, key -> new Bench(open(context), loses(context)), Bench.class);
  }

  private static Device open(ExtensionContext context) {
    return context.getConfigurationParameter(DEVICE).map(Device::open).orElseGet(Device::open);
  }

  private static boolean loses(ExtensionContext context) {
    return context.getConfigurationParameter(LOSES).map(Boolean::parseBoolean).orElse(false);
  }
}
