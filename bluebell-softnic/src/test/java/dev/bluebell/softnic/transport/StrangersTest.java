package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawWindow;
import dev.bluebell.softnic.rig.RawXrcSrq;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** No explanation reveals another client's keys to a client. */
class StrangersTest {
  private final Rig device = Rigs.open();
  private final Rig asking = client();
  private final Rig asked = client();
  private final RawQp left = asking.qp(asking.cq(6));
  private final RawQp right = asked.qp(asked.cq(6));
  private final RawMemory own = asking.memory(64);
  private final RawMemory theirs = asked.memory(64, HcaAccess.LOCAL_WRITE | HcaAccess.REMOTE_WRITE);

  StrangersTest() {
    assertThat(RawPair.connect(left, right, new Settings())).isNotNull();
  }

  private Rig client() {
    return new Rig((SoftNic) device.nic().hosting().orElseThrow().openClient(), device.clock());
  }

  @AfterEach
  void close() {
    asking.close();
    asked.close();
    device.close();
  }

  /** The explanation that the requesting client gets of the failed request. */
  private String told() {
    device.settle();
    RawCqe failed = left.sends().pollOne();
    assertThat(failed.isError()).isTrue();
    return failed.explanation();
  }

  private String ownersWords() {
    return device.explanations().stream()
        .filter(line -> line.startsWith("QP 0x%x refused".formatted(right.number())))
        .findFirst()
        .orElseThrow();
  }

  private static String hex(long number) {
    return "0x%x".formatted(number);
  }

  @Test
  void aWrongTagDoesNotRevealTheRightTag() {
    left.post(
        new Wqe(WqeOpcode.RDMA_WRITE).remote(theirs.address(0), theirs.key() + 1).data(own, 0, 8));
    assertThat(told())
        .contains(
            "rkey %s is not valid here: it is stale, ".formatted(hex(theirs.key() + 1)),
            "the explanations of the process at the other end say which",
            "QP " + hex(right.number()))
        .doesNotContain(hex(theirs.key()) + ":");
    assertThat(ownersWords()).contains("the memory key with this index is " + hex(theirs.key()));
  }

  @Test
  void aRangeThatIsTooLongDoesNotRevealTheRegion() {
    left.post(Wqe.write(theirs, 60).data(own, 0, 8));
    assertThat(told())
        .contains("reaches outside the memory that rkey %s grants".formatted(hex(theirs.key())))
        .doesNotContain(hex(theirs.address(0)) + ",");
    assertThat(ownersWords()).contains("which is [" + hex(theirs.address(0)));
  }

  @Test
  void aMissingRightIsNamedAndTheOtherRightsAreNotRevealed() {
    left.post(Wqe.read(theirs, 0).data(own, 0, 8));
    assertThat(told())
        .contains("rkey %s does not grant REMOTE_READ".formatted(hex(theirs.key())))
        .doesNotContain("REMOTE_WRITE");
    assertThat(ownersWords()).contains("it was registered with").contains("REMOTE_WRITE");
  }

  @Test
  void aMistakeOfTheReceiverIsReportedToTheReceiverAlone() {
    assertThat(right.receive(theirs.address(0), 64, theirs.key() + 1)).isZero();
    left.post(Wqe.send().inline(new byte[8]));
    assertThat(told())
        .contains("the explanations of the process at the other end say why")
        .doesNotContain(hex(theirs.key() + 1));
  }

  @Test
  void aKeyThatMayNotBeInvalidatedIsNotDescribed() {
    assertThat(right.receive(theirs.address(0), 64, theirs.key())).isZero();
    left.post(new Wqe(WqeOpcode.SEND_INVAL).immediate(theirs.key()).inline(new byte[8]));
    assertThat(told())
        .contains("rkey %s may not be invalidated by this queue pair".formatted(hex(theirs.key())))
        .doesNotContain("REMOTE_INVALIDATE");
    assertThat(ownersWords()).contains("was registered without REMOTE_INVALIDATE");
  }

  @Test
  void aLocalKeyOfAnotherClientIsReportedAsUnknown() {
    left.post(Wqe.write(theirs, 0).data(theirs.address(0), 8, theirs.key()));
    assertThat(told())
        .contains("lkey %s does not name a memory key".formatted(hex(theirs.key())))
        .doesNotContain("protection domain");
  }

  // ---- clients whose shared receive queues are in one XRC domain

  /**
   * Posts a READ by a key of the other client, which fails at an entry of the key when it is
   * answered, and a request for a queue of the asking client; returns the text of the failure.
   */
  private String toldOfRead(HcaObject xrcd, Wqe next) {
    RawQp initiator = RawXrcSrq.initiator(asking);
    RawPair pair = RawPair.connect(initiator, RawXrcSrq.target(asked, xrcd), new Settings());
    RawWindow list = new RawWindow(asked);
    right.post(list.layout(64).klm(64, theirs.key() + 1, theirs.address(0)).wqe());
    device.settle();
    right.sends().pollOne().require(CqeOpcode.REQ, 0);
    int theirQueue = new RawXrcSrq(asked, xrcd).number();
    initiator.write(
        new Wqe(WqeOpcode.RDMA_READ).remote(0, list.key(0)).data(own, 0, 8).xrc(theirQueue));
    int last = initiator.write(next);
    initiator.writeRecord();
    initiator.ring(last);
    device.settle();
    assertThat(pair.right().state()).isEqualTo(QpState.ERR);
    RawCqe failed = initiator.sends().poll(2).getFirst();
    assertThat(failed.syndrome()).isEqualTo(Syndrome.REMOTE_ACCESS_ERR);
    return failed.explanation();
  }

  @Test
  void aReadThatFailsBehindARequestForAnotherQueueDoesNotRevealTheKey() {
    HcaObject xrcd = RawXrcSrq.domain(asked);
    RawXrcSrq queue = new RawXrcSrq(asking, xrcd);
    assertThat(toldOfRead(xrcd, Wqe.write(own, 8).data(own, 16, 8).xrc(queue.number())))
        .contains("reaches outside the memory that rkey")
        .doesNotContain(hex(theirs.key()));
    assertThat(device.explanations())
        .anyMatch(line -> line.contains("the memory key with this index is " + hex(theirs.key())));
  }

  @Test
  void theReceiveOfAMessageBehindAReadThatFailsDoesNotRevealTheKey() {
    HcaObject xrcd = RawXrcSrq.domain(asked);
    RawXrcSrq queue = new RawXrcSrq(asking, xrcd);
    RawMemory large = asking.memory(1 << 20);
    queue.receive(large.address(0), 1 << 20, large.key());
    assertThat(toldOfRead(xrcd, Wqe.send().data(large, 0, 1 << 20).xrc(queue.number())))
        .doesNotContain(hex(theirs.key()));
    RawCqe received = queue.cq().pollOne();
    assertThat(received.isError()).isTrue();
    assertThat(received.explanation())
        .contains("reaches outside the memory that rkey")
        .doesNotContain(hex(theirs.key()));
  }
}
