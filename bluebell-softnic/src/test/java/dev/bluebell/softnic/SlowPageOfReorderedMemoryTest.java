package dev.bluebell.softnic;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.option.ReorderOptions;
import dev.bluebell.softnic.rig.OtherProcess;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A slow page fault of a client for which the device holds payload back. */
@Timeout(60)
class SlowPageOfReorderedMemoryTest {
  private static final byte[] TEXT = "sixteen bytes so".getBytes(US_ASCII);
  private static final long DELAY = 20_000;

  @Test
  void payloadThatIsDueWhileItsClientWaitsForAPageIsNotLost() throws InterruptedException {
    try (Rig device = Rigs.open(new ReorderOptions(DELAY, 1));
        Rig slow = client(device);
        Rig other = client(device);
        SlowPage page = new SlowPage(device, slow)) {
      RawPair own = slow.pair();
      RawMemory target = slow.memory(SlowPage.BYTES);
      RawMemory others = other.memory(SlowPage.BYTES).put(0, TEXT);
      RawPair toSlow = RawPair.connect(other.qp(other.cq(6)), slow.qp(slow.cq(6)), new Settings());
      toSlow
          .left()
          .post(
              new Wqe(WqeOpcode.RDMA_WRITE)
                  .remote(OtherProcess.BASE, page.key().rkey())
                  .data(others, 0, TEXT.length)
                  .unsignalled());
      device.settle();
      own.left().post(Wqe.write(target, 0).data(OtherProcess.BASE + 32, 16, page.key().lkey()));
      page.stick();
      assertThat(page.copies()).as("the payload is held back").isEqualTo(1);
      Thread shows = Thread.ofPlatform().start(() -> device.pass(DELAY));
      SlowPage.awaitBlocked(shows);
      page.arrive();
      shows.join();
      device.settle();
      own.left().sends().pollOne().require(CqeOpcode.REQ, 0);
      assertThat(page.memory().bytes(0, TEXT.length)).isEqualTo(TEXT);
    }
  }

  private static Rig client(Rig device) {
    return new Rig((SoftNic) device.nic().hosting().orElseThrow().openClient(), device.clock());
  }
}
