package dev.bluebell.uverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A program in C with the stock libraries has managed queues by the kernel's creation flags. */
class ManagedQueueTest extends Hosted {
  private static final Path SOURCE = Path.of("src", "test", "c", "managed.c");

  @Test
  void aWaitAndAnEnableRunAQueueThatTheKernelsFlagsMakeManaged()
      throws IOException, InterruptedException {
    Program.require("gcc", "gcc");
    Program.require("ibv_devinfo", "ibverbs-utils");
    assumeTrue(
        Files.exists(Path.of("/usr/include/infiniband/mlx5dv.h")),
        "mlx5dv.h is not installed (Debian and Ubuntu: apt install libibverbs-dev)");
    Path program = folder.resolve("managed");
    Path source = Path.of(System.getProperty("basedir", "")).resolve(SOURCE).toAbsolutePath();
    Process compiler =
        new ProcessBuilder(
                "gcc",
                "-std=gnu11",
                "-Wall",
                "-Werror",
                "-o",
                program.toString(),
                source.toString(),
                "-libverbs",
                "-lmlx5")
            .inheritIO()
            .start();
    assertThat(compiler.waitFor()).isZero();
    Program.start(host, folder, List.of(program.toString())).expectSuccess();
    host.expectNothingLeft();
  }
}
