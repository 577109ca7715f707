package dev.bluebell.uverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.bluebell.server.remote.Observation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
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
  void aNullRegionDiscardsWritesAndReadsAsZero() throws IOException, InterruptedException {
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

  /** Of eight queues and eight domains, of which no sentence but the first says more. */
  @Test
  void destroyingObjectsInUseIsExplainedOnceForEachKindOfObject()
      throws IOException, InterruptedException {
    List<String> heard = Collections.synchronizedList(new ArrayList<>());
    try (Observation observation =
        Observation.open(host.socket(), false, explanation -> heard.add(explanation.sentence()))) {
      String observer = "BLUEBELL_OBSERVER=" + observation.token();
      Application.start(host, folder, List.of("env", observer, compile("busy"))).expectSuccess();
      assertThat(observation.end()).isEmpty();
      assertThat(heard)
          .satisfiesExactly(
              queue ->
                  assertThat(queue)
                      .matches(
                          "ibv_destroy_cq.* was refused with EBUSY: .*CQ 0x[0-9a-f]+ still"
                              + " serves queues \\(2\\); close the queue pairs first"),
              domain ->
                  assertThat(domain)
                      .matches(
                          "ibv_dealloc_pd.* was refused with EBUSY: .*PD 0x[0-9a-f]+ still has"
                              + " queue pairs, .* or memory keys \\(2\\); close them first"));
    }
    host.expectNothingLeft();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ethernet", "infiniband"})
  void aDatagramToAGroupReachesItsMembers(String link) throws IOException, InterruptedException {
    try (Host special = new Host(Files.createDirectory(folder.resolve("own")), "link=" + link)) {
      run(special, compile("multicast"));
    }
  }

  private void run(String name) throws IOException, InterruptedException {
    run(host, compile(name));
  }

  private static String compile(String name) throws IOException, InterruptedException {
    Application.require("ibv_devinfo", "ibverbs-utils");
    assumeTrue(
        Files.exists(Path.of("/usr/include/infiniband/mlx5dv.h")),
        "mlx5dv.h is not installed (Debian and Ubuntu: apt install libibverbs-dev)");
    return Application.compile(name + ".c", "-libverbs", "-lmlx5");
  }

  private void run(Host on, String application) throws IOException, InterruptedException {
    Application.start(on, folder, List.of(application)).expectSuccess();
    on.expectNothingLeft();
  }
}
