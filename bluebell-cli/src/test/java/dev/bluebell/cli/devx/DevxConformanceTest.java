package dev.bluebell.cli.devx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.cli.Main;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The conformance tests on a card that the driver reaches through the kernel: by ioctls, mapped
 * pages and event files, which Bluebell's kernel side answers. Runs a part of them; {@code
 * -Dbluebell.devx.all=true} runs all.
 */
@Tag("slow")
class DevxConformanceTest {
  private static final String[] SHARE = {
    "AtomicTest",
    "CardRulesTest",
    "DatagramQueuePairTest",
    "DynamicConnectionTest",
    "EventTest",
    "ExtendedConnectionTest",
    "InvalidateTest",
    "SharedReceiveQueueTest",
  };

  @TempDir private Path folder;

  /** Arguments that run these classes of tests, or all without any. */
  private static String[] arguments(String... classes) {
    List<String> arguments = new ArrayList<>(List.of("conformance", "--device", "mlx5_0"));
    for (String name : classes) {
      arguments.addAll(List.of("--only", name));
    }
    return arguments.toArray(String[]::new);
  }

  @Test
  void theDriverWorksThroughTheKernelsInterface() throws IOException, InterruptedException {
    boolean all = Boolean.getBoolean("bluebell.devx.all");
    try (KernelSide kernel = new KernelSide(folder);
        KernelSide.Client client = kernel.start(Main.class, all ? arguments() : arguments(SHARE))) {
      String unused = client.expectSuccess();
      kernel.expectNothingLeft();
    }
  }

  @Test
  void theTourShowsAllButWhatNeedsOptionsOfTheSoftwareDevice()
      throws IOException, InterruptedException {
    try (KernelSide kernel = new KernelSide(folder);
        KernelSide.Client client = kernel.start(Main.class, "demo", "--device", "mlx5_0")) {
      assertThat(client.expectSuccess())
          .contains("37 of 37 right")
          .containsSubsequence("skip ", "flight recorder", "needs a software device with recorder");
      kernel.expectNothingLeft();
    }
  }

  @Test
  void theDriverWorksThroughTheKernelsInterfaceOnAnInfiniBandPort()
      throws IOException, InterruptedException {
    try (KernelSide kernel = new KernelSide(folder, "link=infiniband", "lmc=2");
        KernelSide.Client client =
            kernel.start(
                Main.class,
                arguments("InfiniBandPortTest", "DatagramQueuePairTest", "AtomicTest"))) {
      String unused = client.expectSuccess();
      kernel.expectNothingLeft();
    }
  }

  @Test
  void theCardIsNamedAndAnswersQuestions() throws IOException, InterruptedException {
    try (KernelSide kernel = new KernelSide(folder, "profile=connectx6dx");
        KernelSide.Client client =
            kernel.start(Main.class, "conformance", "--device", "mlx5_0", "--questions")) {
      assertThat(client.expectSuccess())
          .startsWith(
              "mlx5_0: part 4125, firmware 22.0.0000, board BLUEBELL_CX6DX, driver: mlx5_core")
          .contains("(the device does not have the capability dma_mmo_qp)", ", 0 differently, ");
      kernel.expectNothingLeft();
    }
  }
}
