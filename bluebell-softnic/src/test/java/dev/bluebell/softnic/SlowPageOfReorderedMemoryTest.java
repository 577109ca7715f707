package dev.bluebell.softnic;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.option.ReorderOptions;
import dev.bluebell.softnic.rig.OtherProcess;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A slow page fault of a client for which the device holds payload back. */
@Timeout(60)
class SlowPageOfReorderedMemoryTest {
  private static final byte[] TEXT = "sixteen bytes so".getBytes(US_ASCII);
  private static final long DELAY = 20_000;
  private static final int BYTES = 4096;

  private final Rig device = Rigs.open(new ReorderOptions(DELAY, 1));
  private final Rig slow = client();
  private final Rig other = client();
  private final SlowPage page = new SlowPage(device, slow);
  private final RawPair own = slow.pair();
  private final RawMemory target = slow.memory(SlowPage.BYTES);
  private final RawMemory others = other.memory(BYTES, HcaAccess.ALL | HcaAccess.RELAXED_ORDERING);
  private final RawMemory source = other.memory(BYTES).fill(7).put(0, TEXT);

  private Rig client() {
    return new Rig((SoftNic) device.nic().hosting().orElseThrow().openClient(), device.clock());
  }

  @AfterEach
  void close() throws InterruptedException {
    page.close();
    slow.close();
    other.close();
    device.close();
  }

  private void holdBackForThePage() {
    RawPair.connect(other.qp(other.cq(6)), slow.qp(slow.cq(6)), new Settings())
        .left()
        .post(
            new Wqe(WqeOpcode.RDMA_WRITE)
                .remote(OtherProcess.BASE, page.key().rkey())
                .data(source, 0, TEXT.length)
                .unsignalled());
    device.settle();
  }

  private void holdBackForTheOther() {
    other.pair().left().post(Wqe.write(others, 0).data(source, 0, BYTES).unsignalled());
    device.settle();
    assertThat(others.bytes()).as("the payload is held back").isNotEqualTo(source.bytes());
  }

  private void readThePage(int offset) {
    own.left().post(Wqe.write(target, 0).data(OtherProcess.BASE + offset, 16, page.key().lkey()));
  }

  private void expectThePage() {
    device.settle();
    own.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(page.memory().bytes(0, TEXT.length)).isEqualTo(TEXT);
  }

  @Test
  void payloadThatIsDueWhileItsClientWaitsForAPageIsNotLost() throws InterruptedException {
    holdBackForThePage();
    readThePage(32);
    page.stick();
    device.pass(DELAY);
    assertThat(page.copies()).as("the payload is held back").isEqualTo(1);
    page.unstick();
    expectThePage();
  }

  @Test
  void payloadOfOthersBecomesVisibleWhileAReadWaitsForAPage() throws InterruptedException {
    holdBackForThePage();
    holdBackForTheOther();
    readThePage(0);
    page.stick();
    device.pass(DELAY);
    assertThat(others.bytes()).isEqualTo(source.bytes());
    page.unstick();
    expectThePage();
    assertThat(target.bytes(0, TEXT.length)).isEqualTo(TEXT);
  }

  @Test
  void payloadOfOthersBecomesVisibleWhileDuePayloadWaitsForAPage() throws InterruptedException {
    holdBackForThePage();
    holdBackForTheOther();
    device.clock().advance(DELAY);
    page.stick();
    device.settle();
    assertThat(others.bytes()).isEqualTo(source.bytes());
    readThePage(0);
    page.unstick();
    expectThePage();
  }

  @Test
  void keysOfOthersEndWhilePayloadIsHeldBackForASlowPage() throws InterruptedException {
    holdBackForThePage();
    readThePage(32);
    page.stick();
    Thread command = Thread.ofPlatform().start(() -> source.registration().close());
    assertThat(command.join(Duration.ofSeconds(10))).isTrue();
    page.unstick();
    device.pass(DELAY);
    expectThePage();
  }
}
