package dev.bluebell.softnic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.softnic.option.LossOptions;
import dev.bluebell.softnic.rig.OtherProcess;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Wqe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A slow page fault of the only client of a device whose fabric holds packets. */
@Timeout(60)
class SlowPageOfOneClientTest {
  private static final long DELAY = 20_000;

  @Test
  void packetsThatFallDueWhileAPageIsAwaitedAreDeliveredWhenItArrives()
      throws InterruptedException {
    try (Rig device = Rigs.open(LossOptions.none(1).withDelayNanos(DELAY));
        Rig client =
            new Rig((SoftNic) device.nic().hosting().orElseThrow().openClient(), device.clock());
        SlowPage page = new SlowPage(device, client)) {
      RawMemory target = client.memory(SlowPage.BYTES).fill(1);
      RawPair pair = client.pair();
      RawPair slow = client.pair();
      pair.left().post(Wqe.write(target, 0).data(target, 8, 8));
      device.settle();
      slow.left().post(Wqe.write(target, 16).data(OtherProcess.BASE, 8, page.key().lkey()));
      page.stick();
      device.pass(DELAY);
      assertThat(pair.left().sends().peek()).as("a packet to a waiting client").isEmpty();
      page.unstick();
      for (int i = 0; i < 10; i++) {
        device.pass(DELAY);
      }
      pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
      slow.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    }
  }
}
