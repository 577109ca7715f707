package dev.bluebell.hca;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Whether the JVM lets Bluebell reach raw memory. One that was started with {@code
 * --illegal-native-access=deny} does so only where {@code --enable-native-access} allows it; others
 * print a warning at the first use. Thread-safe.
 */
public final class NativeAccess {
  private NativeAccess() {}

  /**
   * Does nothing where a device may reach raw memory.
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
   * Does nothing where the caller may use restricted methods.
   *
   * @param restricted calls one of them, in the caller's own module
   * @param modules all that the option has to name, one that is restricted among them
   * @throws IllegalCallerException when it may not; the message names the option that allows it
   */
  public static void require(Runnable restricted, Module... modules) {
    try {
      restricted.run();
    } catch (IllegalCallerException e) {
      throw new IllegalCallerException(
          "this JVM was told to let nobody reach raw memory: start it with --enable-native-access="
              + option(modules),
          e);
    }
  }

  /** What {@code --enable-native-access} takes for some modules, or for the class path. */
  public static String option(Module... modules) {
    return Arrays.stream(modules)
        .map(module -> module.isNamed() ? module.getName() : "ALL-UNNAMED")
        .distinct()
        .collect(Collectors.joining(","));
  }
}
