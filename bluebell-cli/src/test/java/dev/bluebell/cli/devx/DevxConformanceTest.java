package dev.bluebell.cli.devx;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The suite on a card as the driver reaches it through the kernel: by ioctls, mapped pages and
 * event files, which Bluebell's kernel side answers. A share; {@code -Dbluebell.devx.all=true} runs
 * all.
 */
class DevxConformanceTest {
  private static final String[] SHARE = {
    "AtomicTest",
    "DatagramQueuePairTest",
    "DynamicConnectionTest",
    "EventTest",
    "ExtendedConnectionTest",
    "InvalidateTest",
    "SharedReceiveQueueTest",
  };

  @TempDir private Path folder;

  private static String[] arguments(String... classes) {
    String[] arguments = new String[classes.length + 1];
    arguments[0] = "mlx5_0";
    System.arraycopy(classes, 0, arguments, 1, classes.length);
    return arguments;
  }

  @Test
  void theDriverWorksThroughTheKernelsInterface() throws IOException, InterruptedException {
    boolean all = Boolean.getBoolean("bluebell.devx.all");
    try (KernelSide kernel = new KernelSide(folder);
        KernelSide.Client client =
            kernel.start(ConformanceRun.class, all ? arguments() : arguments(SHARE))) {
      String unused = client.expectSuccess();
      kernel.expectNothingLeft();
    }
  }

  @Test
  void soItDoesOnAnInfiniBandPort() throws IOException, InterruptedException {
    try (KernelSide kernel = new KernelSide(folder, "soft:link=infiniband,lmc=2");
        KernelSide.Client client =
            kernel.start(
                ConformanceRun.class,
                arguments("InfiniBandPortTest", "DatagramQueuePairTest", "AtomicTest"))) {
      String unused = client.expectSuccess();
      kernel.expectNothingLeft();
    }
  }
}
