package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
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
            "this queue pair does not let others use rkey %s".formatted(hex(theirs.key() + 1)))
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
        .contains("the reason is reported to its own client")
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
}
