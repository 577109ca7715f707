package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.counter.PortCounter;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.CompletionStatus;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** The port counters count traffic and refused requests. */
@Conformance
class CountersTest {
  /** Skips the test if the kernel has no file for one of the counters. */
  private static Map<PortCounter, Long> countersOf(Bench bench) {
    Map<PortCounter, Long> counters = bench.device().counters();
    Assumptions.assumeTrue(
        counters.keySet().containsAll(EnumSet.allOf(PortCounter.class)),
        "the kernel does not have all counters of the port");
    return counters;
  }

  /**
   * Skips the test if the kernel's counters of queues do not count the driver's queue pairs, which
   * belong to none of its sets of counters.
   *
   * @param before the counters before a request that the port carried
   */
  private static Map<PortCounter, Long> countersOfQueues(
      Bench bench, Map<PortCounter, Long> before) {
    Map<PortCounter, Long> after = countersOf(bench);
    boolean counted =
        Arrays.stream(PortCounter.values())
            .filter(counter -> counter.folder().equals("hw_counters"))
            .anyMatch(counter -> rise(counter, before, after) != 0);
    Assumptions.assumeTrue(
        counted || bench.hca().isSoftware(),
        "the kernel's counters of queues do not count queue pairs that commands created");
    return after;
  }

  @Test
  void trafficOfThePortIsCountedInPacketsAndWords(Bench bench) {
    Ends ends = bench.connected();
    Buffer from = ends.left().buffer(4096).fill(1);
    Buffer to = ends.right().buffer(4096, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
    Map<PortCounter, Long> before = countersOf(bench);
    write(ends, from, to, to.rkey());
    ends.left().awaitSuccess(1);
    Map<PortCounter, Long> after = countersOfQueues(bench, before);
    assertThat(rise(PortCounter.RX_WRITE_REQUESTS, before, after)).isPositive();
    assertThat(rise(PortCounter.PORT_XMIT_PACKETS, before, after)).isPositive();
    // In words of 4 bytes, with headers, and perhaps with repeated packets; but not in bytes.
    assertThat(rise(PortCounter.PORT_RCV_DATA, before, after)).isBetween(4096L / 4, 4095L);
    assertThat(rise(PortCounter.REQ_CQE_ERROR, before, after)).isZero();
  }

  @Test
  @ExpectsRefusal
  void aRefusalIsCountedAtBothEnds(Bench bench) {
    Ends ends = bench.connected();
    Buffer from = ends.left().buffer(4096);
    Buffer to = ends.right().buffer(4096, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
    Map<PortCounter, Long> before = countersOf(bench);
    write(ends, from, to, to.rkey() + 1);
    ends.left().awaitOne(1, CompletionStatus.REMOTE_ACCESS_ERROR);
    Map<PortCounter, Long> after = countersOfQueues(bench, before);
    assertThat(rise(PortCounter.RESP_REMOTE_ACCESS_ERRORS, before, after)).isPositive();
    assertThat(rise(PortCounter.REQ_REMOTE_ACCESS_ERRORS, before, after)).isOne();
    assertThat(rise(PortCounter.REQ_CQE_ERROR, before, after)).isOne();
  }

  private static void write(Ends ends, Buffer from, Buffer to, int rkey) {
    ends.left().queuePair().write(to.address(0), rkey).gather(from.region(), 0, 4096).signaled(1);
    ends.left().queuePair().ringDoorbell();
  }

  private static long rise(
      PortCounter counter, Map<PortCounter, Long> before, Map<PortCounter, Long> after) {
    return after.getOrDefault(counter, 0L) - before.getOrDefault(counter, 0L);
  }
}
