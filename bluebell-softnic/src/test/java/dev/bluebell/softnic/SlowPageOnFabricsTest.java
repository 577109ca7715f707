package dev.bluebell.softnic;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.option.LossOptions;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.softnic.rig.OtherProcess;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A page fault that does not end, of a client that a fabric with packets of all clients delivers
 * to, stops only that client.
 */
@Timeout(60)
class SlowPageOnFabricsTest {
  private static final int BYTES = 64;
  private static final byte[] TEXT = "sixteen bytes so".getBytes(US_ASCII);
  private static final long DELAY = 20_000;

  private static final int SENDERS = 8;

  /** Messages of a sender; each is a packet. */
  private static final int MESSAGES = 40;

  /** Fabrics that hold packets. */
  enum Holding {
    DELAYS(options -> options.withLoss(LossOptions.none(1).withDelayNanos(DELAY))),
    ADVERSARY(options -> options.withAdversary(3));

    private final UnaryOperator<SoftNicOptions> options;

    Holding(UnaryOperator<SoftNicOptions> options) {
      this.options = options;
    }
  }

  /** Clients of a device, and a connection from one to memory that is slow. */
  private static final class Clients implements AutoCloseable {
    private final Holding fabric;
    final Rig device;
    final Rig slow;
    final Rig other;
    final SlowPage page;
    final RawMemory others;
    final RawPair victim;
    final RawQp toSlow;

    Clients(Holding fabric, Settings settings) {
      this.fabric = fabric;
      device = Rigs.open(fabric.options);
      slow = client();
      other = client();
      page = new SlowPage(device, slow);
      others = other.memory(BYTES);
      others.put(0, TEXT);
      victim = other.pair();
      toSlow = toTheSlow(settings);
    }

    /** A queue pair of the other client, connected to one of the slow client. */
    RawQp toTheSlow(Settings settings) {
      return RawPair.connect(
              other.qp(new RawQpPlan(other.cq(6)).sizes(6, 4, 4)), slow.qp(slow.cq(6)), settings)
          .left();
    }

    private Rig client() {
      return new Rig((SoftNic) device.nic().hosting().orElseThrow().openClient(), device.clock());
    }

    Wqe toPage(long offset) {
      return new Wqe(WqeOpcode.RDMA_WRITE)
          .remote(OtherProcess.BASE + offset, page.key().rkey())
          .data(others, 0, TEXT.length);
    }

    /** Lets the fabric deliver to the slow page. */
    void stick() throws InterruptedException {
      if (fabric == Holding.DELAYS) {
        device.settle();
        device.clock().advance(DELAY);
      }
      page.stick();
    }

    void pass() {
      for (int i = 0; i < 10; i++) {
        device.pass(DELAY);
      }
    }

    void expectTheOtherToWork() {
      victim.left().post(Wqe.write(others, 48).data(others, 56, 8));
      pass();
      victim.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    }

    @Override
    public void close() throws InterruptedException {
      page.close();
      slow.close();
      other.close();
      device.close();
    }
  }

  @ParameterizedTest
  @EnumSource
  void othersContinueWhileADeliveryWaits(Holding fabric) throws InterruptedException {
    try (Clients clients = new Clients(fabric, new Settings())) {
      clients.toSlow.post(clients.toPage(0));
      clients.toSlow.post(clients.toPage(16));
      clients.stick();
      clients.expectTheOtherToWork();
      assertThat(clients.toSlow.sends().peek()).isEmpty();
      assertThat(clients.page.copies()).isEqualTo(1);
      clients.page.unstick();
      clients.pass();
      List<RawCqe> done = clients.toSlow.sends().poll();
      assertThat(done).hasSize(2);
      done.getFirst().require(CqeOpcode.REQ, 0);
      done.getLast().require(CqeOpcode.REQ, 1);
      assertThat(clients.page.memory().bytes(0, TEXT.length)).isEqualTo(TEXT);
      assertThat(clients.page.memory().bytes(16, TEXT.length)).isEqualTo(TEXT);
    }
  }

  @Test
  void aPacketIsDeliveredWhenAClientNoLongerWaitsForASecondPage() throws InterruptedException {
    try (Clients clients = new Clients(Holding.DELAYS, new Settings())) {
      RawMemory target = clients.slow.memory(BYTES);
      clients.toSlow.post(clients.toPage(16));
      clients.device.settle();
      // An operation of the slow client that waits for its page twice, and then sends nothing.
      RawPair own = clients.slow.pair();
      own.left()
          .post(
              Wqe.write(target, 0)
                  .data(OtherProcess.BASE, 8, clients.page.key().lkey())
                  .data(OtherProcess.BASE + 8, 8, clients.page.key().lkey()));
      clients.page.stick();
      clients.device.pass(DELAY);
      assertThat(clients.toSlow.sends().peek()).isEmpty();
      clients.page.stickAgain();
      clients.device.settle();
      clients.page.memory().protect(false, true);
      clients.page.unstick();
      clients.pass();
      clients.toSlow.sends().pollOne().require(CqeOpcode.REQ, 0);
    }
  }

  @Test
  void packetsForAWaitingClientTakeALimitedRoomOfTheFabric() throws InterruptedException {
    try (Clients clients = new Clients(Holding.DELAYS, new Settings())) {
      List<RawQp> senders = new ArrayList<>();
      for (int i = 0; i < SENDERS; i++) {
        senders.add(clients.toTheSlow(new Settings()));
      }
      clients.toSlow.post(clients.toPage(0));
      clients.stick();
      for (RawQp sender : senders) {
        for (int i = 0; i < MESSAGES; i++) {
          sender.post(clients.toPage(16));
        }
        clients.device.settle();
      }
      clients.expectTheOtherToWork();
      assertThat(clients.other.explanations())
          .anySatisfy(
              line ->
                  assertThat(line).contains("loses packets", "256 packets already wait for pages"));
      clients.page.unstick();
      for (int i = 0; i < 10; i++) {
        clients.device.pass(TimeUnit.SECONDS.toNanos(1));
      }
      clients.pass();
      for (RawQp sender : senders) {
        List<RawCqe> done = sender.sends().poll();
        assertThat(done).hasSize(MESSAGES);
        done.getLast().require(CqeOpcode.REQ, MESSAGES - 1);
      }
      assertThat(clients.page.memory().bytes(16, TEXT.length)).isEqualTo(TEXT);
    }
  }

  @ParameterizedTest
  @EnumSource
  void theSenderWaitsForAsLongAsThePageTakes(Holding fabric) throws InterruptedException {
    Settings impatient = new Settings().timeout(5).retryCount(0);
    try (Clients clients = new Clients(fabric, impatient)) {
      clients.toSlow.post(clients.toPage(0));
      clients.stick();
      for (int i = 0; i < 10; i++) {
        clients.device.pass(TimeUnit.SECONDS.toNanos(1));
      }
      assertThat(clients.toSlow.sends().peek()).isEmpty();
      clients.page.unstick();
      clients.pass();
      clients.toSlow.sends().pollOne().require(CqeOpcode.REQ, 0);
      assertThat(clients.page.memory().bytes(0, TEXT.length)).isEqualTo(TEXT);
    }
  }
}
