package dev.bluebell.test;

import dev.bluebell.verbs.Device;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.DynamicTestInvocationContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.opentest4j.TestAbortedException;

/**
 * Opens the devices of parameters, closes them, and checks for leaks. Writes the report of a failed
 * test.
 */
final class RdmaExtension implements ParameterResolver, InvocationInterceptor, AfterEachCallback {
  private static final Namespace NAMESPACE = Namespace.create(RdmaExtension.class);

  /**
   * A device of a constructor's parameter belongs to the test, unless the tests share an instance.
   */
  @Override
  public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
    return ExtensionContextScope.TEST_METHOD;
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.isAnnotated(Rdma.class);
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Rdma rdma = parameter.findAnnotation(Rdma.class).orElseThrow();
    Class<?> type = parameter.getParameter().getType();
    if (type != Device.class && type != TestDevice.class && type != RdmaPair.class) {
      throw new ParameterResolutionException(
          "@Rdma is for a Device, a TestDevice or an RdmaPair, not for a " + type.getSimpleName());
    }
    TestDevice device = TestDevice.with().options(rdma.value()).time(rdma.time()).open();
    opened(context).add(device, rdma.mayLeak());
    return type == Device.class
        ? device.device()
        : type == TestDevice.class ? device : device.pair();
  }

  /** Notes the failure of a test of a factory, because the factory itself succeeds. */
  @Override
  public void interceptDynamicTest(
      Invocation<Void> invocation, DynamicTestInvocationContext test, ExtensionContext context)
      throws Throwable {
    try {
      invocation.proceed();
    } catch (Throwable failure) {
      ExtensionContext factory = context;
      while (factory.getTestMethod().isEmpty() && factory.getParent().isPresent()) {
        factory = factory.getParent().get();
      }
      Opened opened = opened(factory);
      if (opened.failure == null || !(failure instanceof TestAbortedException)) {
        opened.failure = failure;
      }
      throw failure;
    }
  }

  @Override
  public void afterEach(ExtensionContext context) {
    Opened opened = opened(context);
    Optional<Throwable> failure =
        context.getExecutionException().or(() -> Optional.ofNullable(opened.failure));
    failure
        .filter(thrown -> !(thrown instanceof TestAbortedException))
        .ifPresent(thrown -> FailureReport.write(context, thrown, opened.devices));
    // A failed test may not have reached the code that closes its objects.
    opened.end(failure.isEmpty());
  }

  /** The devices of a test, or those that all tests of a class share. */
  private static Opened opened(ExtensionContext context) {
    // A store also finds the entries of the contexts around its own, so the key names the context.
    return context
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(context.getUniqueId(), key -> new Opened(), Opened.class);
  }

  /**
   * The devices of a test, or of a class. The store closes those that are still open when its
   * context ends.
   */
  static final class Opened implements AutoCloseable {
    private final List<TestDevice> devices = new ArrayList<>();
    private final List<TestDevice> checked = new ArrayList<>();

    /** That of the last failed test of a factory; if none failed, that of the first aborted one. */
    private @Nullable Throwable failure;

    void add(TestDevice device, boolean mayLeak) {
      devices.add(device);
      if (!mayLeak) {
        checked.add(device);
      }
    }

    void end(boolean check) {
      try {
        if (check) {
          checked.forEach(TestDevice::expectNoLeaks);
        }
      } finally {
        close();
      }
    }

    @Override
    public void close() {
      devices.forEach(TestDevice::close);
    }
  }
}
