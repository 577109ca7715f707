package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.option.LossOptions;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import org.junit.jupiter.api.Test;

/** Queue pairs on a lossy fabric, and what the device reports about it. */
class LossyDeviceTest {
  private static final int UC = 1;
  private static final int MICROSECOND = 1_000;
  private static final LossOptions NONE = LossOptions.none(7);

  private static String fabricLine(Rig rig) {
    return rig.nic().diagnosis().orElseThrow().objects().getLast();
  }

  @Test
  void usedUpRetriesNameTheLoss() {
    try (Rig rig = Rigs.open(NONE.withLoss(1))) {
      RawPair pair = rig.pair(new Settings().timeout(1).retryCount(2));
      RawMemory memory = rig.memory(64);
      pair.left().post(Wqe.write(memory, 0).data(memory, 32, 8));
      rig.settle();
      for (int i = 0; i < 3; i++) {
        rig.pass(10 * MICROSECOND);
      }
      pair.left()
          .sends()
          .pollOne()
          .requireError(
              Syndrome.TRANSPORT_RETRY_EXC_ERR,
              0,
              "after 2 retries",
              "its last packet was dropped: the lossy fabric lost it (loss=100%");
      assertThat(fabricLine(rig))
          .isEqualTo(
              "fabric loss=100%,reorder=0%,duplicate=0%,delay=0,seed=7: 3 packets sent, 3 lost, 0"
                  + " reordered, 0 duplicated, 0 delayed");
    }
  }

  @Test
  void aLostMessageOfAnUnreliableConnectionIsExplained() {
    try (Rig rig = Rigs.open(NONE.withLoss(1))) {
      RawQp left = rig.qp(new RawQpPlan(rig.cq(6)).service(UC));
      RawQp right = rig.qp(new RawQpPlan(rig.cq(6)).service(UC));
      RawPair pair = RawPair.connect(left, right, new Settings());
      pair.right().receiveNothing();
      pair.left().post(Wqe.send());
      rig.settle();
      pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
      assertThat(pair.right().receives().peek()).isEmpty();
      assertThat(rig.explanation())
          .contains("message 1 was silently dropped: the lossy fabric lost it (loss=100%");
    }
  }

  @Test
  void aLongMessageWaitsForRoomOnTheWireAndArrivesWhole() {
    int bytes = 1 << 20;
    try (Rig rig = Rigs.open(NONE.withDelayNanos(100 * MICROSECOND))) {
      RawPair pair = rig.pair(new Settings().mtu(1));
      RawMemory from = rig.memory(bytes).fill(1);
      RawMemory to = rig.memory(bytes);
      pair.left().post(Wqe.write(to, 0).data(from, 0, bytes));
      // 4096 packets, and room for 1024.
      for (int i = 0; i < 100 && pair.left().sends().peek().isEmpty(); i++) {
        rig.settle();
        rig.clock().advance(20 * MICROSECOND);
      }
      pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
      assertThat(to.bytes()).isEqualTo(from.bytes());
      assertThat(fabricLine(rig)).contains("0 lost");
    }
  }
}
