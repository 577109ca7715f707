package dev.bluebell.hca;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Checks that the JVM lets Bluebell access raw memory. With {@code --illegal-native-access=deny},
 * this requires {@code --enable-native-access}; otherwise the JVM prints a warning at the first
 * use. Thread-safe.
 */
public final class NativeAccess {
  private NativeAccess() {}

  /**
   * Requires that a device may access raw memory.
   *
   * @throws IllegalCallerException when it may not; the message names the option that allows it
   */
  public static void require() {
    Runnable restricted =
        () -> {
          MemorySegment unused = MemorySegment.NULL.reinterpret(1);
        };
    require(restricted, NativeAccess.class.getModule());
  }

  /**
   * Requires that the caller may use restricted methods.
   *
   * @param restricted calls a restricted method, in the caller's own module
   * @param modules modules that the option must name, including the restricted one
   * @throws IllegalCallerException when it may not; the message names the option that allows it
   */
  public static void require(Runnable restricted, Module... modules) {
    try {
      restricted.run();
    } catch (IllegalCallerException e) {
      throw new IllegalCallerException(
          "this JVM denies access to native memory: start it with --enable-native-access="
              + option(modules),
          e);
    }
  }

  /** The value of {@code --enable-native-access} for modules, or for the class path. */
  public static String option(Module... modules) {
    return Arrays.stream(modules)
        .map(module -> module.isNamed() ? module.getName() : "ALL-UNNAMED")
        .distinct()
        .collect(Collectors.joining(","));
  }
}
