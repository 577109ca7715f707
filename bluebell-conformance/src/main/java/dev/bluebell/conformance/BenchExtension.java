package dev.bluebell.conformance;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaProvider;
import dev.bluebell.verbs.Device;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * JUnit extension that gives each test a {@link Bench} with its own device, closed after the test.
 */
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
    // The store closes its values when the test's context ends.
    return context
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(Bench.class, key -> open(context), Bench.class);
  }

  private static Bench open(ExtensionContext context) {
    boolean loses = context.getConfigurationParameter(LOSES).map(Boolean::valueOf).orElse(false);
    return new Bench(hca(context), loses);
  }

  /** The capabilities of the device, queried once. */
  static DeviceCapabilities capabilities(ExtensionContext context) {
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(
            DeviceCapabilities.class,
            key -> {
              try (Hca hca = hca(context)) {
                return DeviceCapabilities.of(hca);
              }
            },
            DeviceCapabilities.class);
  }

  private static Hca hca(ExtensionContext context) {
    return context
        .getConfigurationParameter(DEVICE)
        .map(BenchExtension::hca)
        .orElseGet(BenchExtension::hca);
  }

  private static Hca hca() {
    return hca(Device.names().getFirst());
  }

  /** Opens a device by its name. */
  static Hca hca(String name) {
    return HcaProvider.require(name);
  }
}
