package dev.bluebell.examples.cookbook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.test.Rdma;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.Device;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The programs of the cookbook, in virtual time. */
class CookbookTest {

  @Test
  void creditsLeaveNoMessageWithoutAReceive(@Rdma Device device) {
    assertThat(Credits.run(device, 1000)).isPositive();
  }

  @Test
  void aPeerThatIsGoneIsNoticed(@Rdma Device device) {
    assertThat(Keepalive.run(device))
        .containsExactly(CompletionStatus.SUCCESS, CompletionStatus.RETRY_EXCEEDED);
  }

  @Test
  void aLargeMessageIsFetched(@Rdma Device device) {
    byte[] data = new byte[1_000_000];
    new Random(1).nextBytes(data);
    assertThat(Rendezvous.run(device, data)).isEqualTo(data);
  }

  @Test
  void failedRequestsAreRepeatedOnANewQueuePair(@Rdma Device device) {
    assertThat(Recovery.run(device)).containsExactly(0, 1, 2, 3, 4, 5);
  }

  @Test
  void aPoolOfReceivesServesManyPeers(@Rdma Device device) {
    assertThat(SharedReceives.run(device, 3, 100)).containsExactly(100, 100, 100);
  }

  @Test
  void oneCompletionQueueServesManyConnections(@Rdma Device device) {
    assertThat(SharedCompletions.run(device, 3, 100)).containsExactly(100, 100, 100);
  }
}
