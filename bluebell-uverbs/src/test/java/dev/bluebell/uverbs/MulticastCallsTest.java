package dev.bluebell.uverbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.uverbs.Errno;
import java.io.IOException;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The calls about multicast groups. */
class MulticastCallsTest extends Hosted {
  private static final int DESTROY_QP = 27;
  private static final int ATTACH_MCAST = 30;
  private static final int DETACH_MCAST = 31;
  private static final byte[] GROUP = HexFormat.of().parseHex("ff0e0000000000000000ffffe0010203");

  private DevxClient client;

  @BeforeEach
  void open() throws IOException {
    client = DevxClient.openPlain(host);
  }

  @AfterEach
  void close() throws IOException, InterruptedException {
    client.close();
    host.expectNothingLeft();
  }

  private int queuePair() throws IOException {
    DevxClient.Made uar = client.uar();
    assertThat(client.verbsCq(uar, 7, 0, -1)).isZero();
    long queue = client.lastHandle();
    assertThat(client.verbsQp(client.raw().allocateDomain(), queue, uar)).isPositive();
    return (int) client.lastHandle();
  }

  private long ofGroup(int command, int pair) throws IOException {
    byte[] request = Fields.of(24).bytes(0, GROUP).u32(16, pair).bytes();
    return client.raw().write(command, request, client.raw().memory(0));
  }

  private long destroy(int pair) throws IOException {
    byte[] request = Fields.of(16).u32(8, pair).bytes();
    return client.raw().write(DESTROY_QP, request, client.raw().memory(4));
  }

  /** As in the kernel: {@code uverbs_std_types_qp.c: uverbs_free_qp}. */
  @Test
  void aQueuePairThatIsAttachedToAGroupIsBusy() throws IOException {
    int pair = queuePair();
    assertThat(ofGroup(ATTACH_MCAST, pair)).isPositive();
    assertThat(destroy(pair)).isEqualTo(-Errno.EBUSY);
    assertThat(ofGroup(DETACH_MCAST, pair)).isPositive();
    assertThat(destroy(pair)).isPositive();
  }

  @Test
  void aQueuePairThatIsAttachedGoesWithItsClient() throws IOException {
    assertThat(ofGroup(ATTACH_MCAST, queuePair())).isPositive();
  }
}
