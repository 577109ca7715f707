package dev.bluebell.softnic;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.rig.OtherProcess;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Turns that need memory of a client while another turn waits for a page of that client. */
@Timeout(60)
class TwoSlowPagesTest {
  private static final int BYTES = 64;
  private static final byte[] TEXT = "sixteen bytes so".getBytes(US_ASCII);

  private final Rig device = Rigs.open();
  private final Rig sender = client();
  private final Rig receiver = client();
  private final Rig third = client();
  private final SlowPage ours = new SlowPage(device, sender);
  private final SlowPage theirs = new SlowPage(device, receiver);
  private final RawMemory thirds = third.memory(BYTES);
  private final RawPair pair = connect(sender, receiver);

  private Rig client() {
    return new Rig((SoftNic) device.nic().hosting().orElseThrow().openClient(), device.clock());
  }

  @AfterEach
  void close() throws InterruptedException {
    ours.close();
    theirs.close();
    third.close();
    receiver.close();
    sender.close();
    device.close();
  }

  private static RawPair connect(Rig from, Rig to) {
    return RawPair.connect(from.qp(from.cq(6)), to.qp(to.cq(6)), new Settings());
  }

  private Wqe toTheirs(long offset) {
    return new Wqe(WqeOpcode.RDMA_WRITE).remote(OtherProcess.BASE + offset, theirs.key().rkey());
  }

  /** Posts requests that read the sender's page and write the receiver's. */
  private void postFour() {
    ours.memory().put(0, TEXT);
    for (int i = 0; i < 4; i++) {
      pair.left().post(toTheirs(8 * i).data(OtherProcess.BASE + 8 * i % 16, 8, ours.key().lkey()));
    }
  }

  private void requireFour() {
    device.settle();
    List<RawCqe> done = pair.left().sends().poll(4);
    for (int i = 0; i < 4; i++) {
      done.get(i).require(CqeOpcode.REQ, i);
    }
    assertThat(theirs.memory().bytes(0, 16)).isEqualTo(TEXT);
    assertThat(theirs.memory().bytes(16, 16)).isEqualTo(TEXT);
  }

  @Test
  void aTurnThatResumesWaitsForAnotherPageOfItsClientAndHoldsUpNoOthers()
      throws InterruptedException {
    RawPair second = sender.pair();
    RawMemory target = sender.memory(BYTES);
    RawPair others = third.pair();
    postFour();
    theirs.stick();
    second
        .left()
        .post(Wqe.write(target, 0).data(OtherProcess.BASE, TEXT.length, ours.key().lkey()));
    ours.stick();
    theirs.arriveBeforeAnother();
    others.left().post(Wqe.write(thirds, 48).data(thirds, 56, 8));
    device.settle();
    others.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    ours.arrive();
    theirs.unstick();
    requireFour();
    second.left().sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  @Test
  void aTurnThatResumesWaitsForAPageOfItsReceiver() throws InterruptedException {
    RawPair second = connect(third, receiver);
    postFour();
    ours.stick();
    second.left().post(toTheirs(48).data(thirds, 0, 8));
    theirs.stick();
    ours.arrive();
    theirs.unstick();
    requireFour();
    second.left().sends().pollOne().require(CqeOpcode.REQ, 0);
  }
}
