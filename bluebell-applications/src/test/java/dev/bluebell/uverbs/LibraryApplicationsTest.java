package dev.bluebell.uverbs;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Applications in C with the stock libraries, for what pyverbs has no names for. */
class LibraryApplicationsTest extends Hosted {
  /** By the kernel's creation flags. */
  @Test
  void aWaitAndAnEnableRunAQueueThatTheKernelsFlagsMakeManaged()
      throws IOException, InterruptedException {
    run("managed");
  }

  @Test
  void aNullRegionTakesAndGivesNothing() throws IOException, InterruptedException {
    run("null_region");
  }

  /** The libmlx5 of a card refuses to post before RTS, whatever the device: ENOMEM. */
  @Test
  void whatIsRungBeforeRtsOrNotAtAllIsNotSent() throws IOException, InterruptedException {
    run("rung_early");
  }

  /** The host's part of NVSHMEM's IBGDA, and its kernels' on this processor. */
  @Test
  void collapsedCompletionQueuesCompleteMoreRequestsThanTheyHaveEntries()
      throws IOException, InterruptedException {
    run("collapsed");
  }

  /** As pyverbs' tests of parent domains, whose records are in the heap. */
  @Test
  void doorbellRecordsOfTwoContextsLieOnOnePage() throws IOException, InterruptedException {
    run("own_allocator");
  }

  @ParameterizedTest
  @ValueSource(strings = {"soft:link=ethernet", "soft:link=infiniband"})
  void aDatagramToAGroupReachesItsMembers(String device) throws IOException, InterruptedException {
    try (Host special = new Host(Files.createDirectory(folder.resolve("own")), device)) {
      run(special, "multicast");
    }
  }

  private void run(String name) throws IOException, InterruptedException {
    run(host, name);
  }

  private void run(Host on, String name) throws IOException, InterruptedException {
    Application.require("ibv_devinfo", "ibverbs-utils");
    assumeTrue(
        Files.exists(Path.of("/usr/include/infiniband/mlx5dv.h")),
        "mlx5dv.h is not installed (Debian and Ubuntu: apt install libibverbs-dev)");
    String application = Application.compile(name + ".c", "-libverbs", "-lmlx5");
    Application.start(on, folder, List.of(application)).expectSuccess();
    on.expectNothingLeft();
  }
}
