package dev.bluebell.softnic.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawWindow;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Umr;
import dev.bluebell.softnic.rig.Wqe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The mistakes with memory windows that have cost engineers days: the wrong WQE, the symptom on
 * hardware, and the explanation that would have helped.
 */
class UmrTrapsTest {
  private static final int BYTES = 1024;

  private final Rig rig = Rigs.open();
  private final RawMemory memory = rig.memory(BYTES).fill(1);
  private final RawMemory local = rig.memory(BYTES).fill(2);
  private final RawPair pair = rig.pair();
  private final RawWindow window = new RawWindow(rig);

  @AfterEach
  void close() {
    memory.expectCanaries();
    local.expectCanaries();
    rig.close();
  }

  private Umr bind(RawQp owner, int oldTag, int newTag) {
    return window.bind(owner, oldTag, newTag, memory, 0, BYTES);
  }

  private void execute(RawQp qp, Wqe wqe) {
    int index = qp.post(wqe);
    rig.settle();
    qp.sends().pollOne().require(CqeOpcode.REQ, index);
  }

  private Wqe write(int tag) {
    return new Wqe(WqeOpcode.RDMA_WRITE)
        .remote(memory.address(0), window.key(tag))
        .data(local, 0, 64);
  }

  private Wqe read(int tag) {
    return new Wqe(WqeOpcode.RDMA_READ)
        .remote(memory.address(0), window.key(tag))
        .data(local, 0, 64);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void withTooFewOctowordsAllCompletionsSaySuccessAndNothingLands(int octowords) {
    byte[] before = memory.bytes();
    execute(pair.right(), bind(pair.right(), 0, 1).octowords(octowords).wqe());
    execute(pair.left(), write(1));
    assertThat(memory.bytes()).isEqualTo(before);
    assertThat(rig.explanation())
        .contains(
            "memory key 0x%x is used but does not map any memory".formatted(window.key(1)),
            "The UMR at WQE 0 of QP 0x%x has klm_octowords %d"
                .formatted(pair.right().number(), octowords),
            "one KLM needs klm_octowords 4, 64 bytes of which 48 are zero");
    execute(pair.left(), read(1));
    assertThat(local.bytes(0, 64)).containsOnly(0);
    // Other keys keep working.
    execute(pair.left(), Wqe.write(memory, 0).data(local, 64, 64));
    assertThat(memory.bytes(0, 64)).isEqualTo(local.bytes(64, 64));
  }

  @Test
  void theSentenceAboutTooFewOctowordsComesOnceForEachBind() {
    execute(pair.right(), bind(pair.right(), 0, 1).octowords(1).wqe());
    for (int i = 0; i < 5; i++) {
      execute(pair.left(), write(1));
    }
    assertThat(rig.explanations()).hasSize(1);
  }

  @Test
  void checkQpnOnBitFourChecksNothingAndAnyQueueEndsTheWindow() {
    execute(pair.right(), bind(pair.right(), 0, 1).wqe());
    execute(pair.left(), window.invalidate(1).flags(0x80 | 0x10).wqe());
    assertThat(rig.explanation())
        .contains(
            "invalidated memory key 0x%x, which is bound to QP 0x%x"
                .formatted(window.key(1), pair.right().number()),
            "flags 0x90 lack CHECK_QPN, which is bit 3 (0x08; bit 4 enables");
  }

  @Test
  void checkFreeOnAnInvalidateRefusesToEndTheWindow() {
    execute(pair.right(), bind(pair.right(), 0, 1).wqe());
    pair.right().post(window.invalidate(1).flags(0x80 | 0x20).wqe());
    rig.settle();
    pair.right()
        .sends()
        .pollOne()
        .requireError(Syndrome.MW_BIND_ERR, 3, "flags 0xa0 have CHECK_FREE (bit 5, 0x20)");
  }

  @Test
  void withCheckQpnAnotherQueueIsRefused() {
    execute(pair.right(), bind(pair.right(), 0, 1).wqe());
    pair.left().post(window.invalidate(1).wqe());
    rig.settle();
    pair.left()
        .sends()
        .pollOne()
        .requireError(
            Syndrome.MW_BIND_ERR,
            0,
            "flags 0x98 have CHECK_QPN (bit 3, 0x08)",
            "has qpn 0x%x, not 0x%x".formatted(pair.right().number(), pair.left().number()));
    execute(pair.right(), Wqe.nop());
  }

  @Test
  void withoutQpnInTheMaskTheWindowServesAllAndAllMayInvalidateIt() {
    RawPair other = rig.pair();
    execute(pair.right(), bind(pair.right(), 0, 1).mask(0x203c2041).wqe());
    assertThat(rig.explanation())
        .contains(
            "changed memory key 0x%x, whose qpn stays 0xffffff".formatted(window.key(1)),
            "mkey_mask 0x203c2041 lacks QPN (bit 14, 0x4000)");
    execute(other.left(), write(1));
    execute(other.right(), window.invalidate(1).wqe());
    assertThat(window.query().isSet(Mkc.FREE)).isTrue();
  }

  @Test
  void aQpnThatIsNotShiftedGivesAnotherTagAndAnotherOwner() {
    // qpn | tag in place of qpn << 8 | tag.
    int wrong = pair.right().number() | 1;
    execute(pair.right(), bind(pair.right(), 0, 1).owner(wrong >>> 8, wrong & 0xff).wqe());
    pair.left().post(write(1));
    rig.settle();
    pair.left()
        .sends()
        .pollOne()
        .requireError(
            Syndrome.REMOTE_ACCESS_ERR,
            0,
            "has the tag 0x01, but the memory key with this index is 0x%x"
                .formatted(window.key(wrong & 0xff)),
            "which is the low byte of its qpn_mkey");
  }

  @Test
  void theQpnOfAnotherQueueInQpnMkeyDeniesTheAccess() {
    execute(pair.right(), bind(pair.right(), 0, 1).owner(pair.left().number(), 1).wqe());
    pair.left().post(write(1));
    rig.settle();
    pair.left()
        .sends()
        .pollOne()
        .requireError(
            Syndrome.REMOTE_ACCESS_ERR,
            0,
            "is for QP 0x%x alone".formatted(pair.left().number()),
            "qpn_mkey is that queue pair's number followed by the new tag");
  }

  @Test
  void theOldKeyForBothLeavesTheNewOneUnknown() {
    execute(pair.right(), bind(pair.right(), 0, 0).wqe());
    pair.left().post(write(1));
    rig.settle();
    pair.left()
        .sends()
        .pollOne()
        .requireError(
            Syndrome.REMOTE_ACCESS_ERR,
            0,
            "has the tag 0x01, but the memory key with this index is 0x%x".formatted(window.key(0)),
            "The UMR at WQE 0 of QP 0x%x has set that tag".formatted(pair.right().number()),
            "which is the old one plus one");
  }

  @Test
  void aBindOnTheInitiatorsQueueDeniesTheAccess() {
    execute(pair.left(), bind(pair.left(), 0, 1).wqe());
    pair.left().post(write(1));
    rig.settle();
    pair.left()
        .sends()
        .pollOne()
        .requireError(
            Syndrome.REMOTE_ACCESS_ERR,
            3,
            "is for QP 0x%x alone (qpn of the memory key), not for QP 0x%x"
                .formatted(pair.left().number(), pair.right().number()),
            "a window of type 2 is bound on the queue pair that receives the access");
  }

  // ---- fences

  /** A bind for all queue pairs and a write through it, both posted before the device looks. */
  private void bindAndWrite(int control) {
    RawQp qp = pair.left();
    qp.write(bind(qp, 0, 1).flags(0x90).mask(0x203c2041).wqe());
    int index = qp.write(write(1).control(control));
    qp.writeRecord();
    qp.ring(index);
    rig.settle();
  }

  @Test
  void withoutAFenceTheNextRequestSeesTheKeyAsItWas() {
    byte[] before = memory.bytes();
    bindAndWrite(ControlSegment.CE_ALWAYS);
    var done = pair.left().sends().poll(2);
    done.get(0).require(CqeOpcode.REQ, 0);
    done.get(1)
        .requireError(
            Syndrome.REMOTE_ACCESS_ERR,
            3,
            "The UMR at WQE 0 of QP 0x%x will change this key but has not been executed yet"
                .formatted(pair.left().number()),
            "fence 1 in fm_ce_se (0x20, small fence)");
    assertThat(memory.bytes()).isEqualTo(before);
  }

  @Test
  void aUmrThatMayNotChangeAKeyIsNotPromisedToWhoeverUsesTheKey() {
    HcaObject domain = rig.nic().allocateProtectionDomain();
    RawWindow alien = new RawWindow(rig, 4, mkc -> mkc.set(Mkc.PD, domain.number()));
    RawQp qp = pair.left();
    qp.write(alien.bind(qp, 0, 1, memory, 0, BYTES).wqe());
    int index =
        qp.write(
            new Wqe(WqeOpcode.RDMA_WRITE)
                .remote(memory.address(0), alien.key(0))
                .data(local, 0, 64));
    qp.writeRecord();
    qp.ring(index);
    rig.settle();
    qp.sends().poll(2).getFirst().requireError(Syndrome.MW_BIND_ERR, 0, "belongs to protection");
    assertThat(rig.explanations())
        .anyMatch(line -> line.contains("rkey 0x%x".formatted(alien.key(0))))
        .noneMatch(line -> line.contains("has not been executed yet"));
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        ControlSegment.FENCE_SMALL,
        ControlSegment.FENCE,
        ControlSegment.FENCE_STRONG,
        ControlSegment.FENCE_SMALL_AND_FENCE
      })
  void withAnyFenceTheNextRequestSeesTheKeyAsItIs(int fence) {
    bindAndWrite(ControlSegment.CE_ALWAYS | fence);
    var done = pair.left().sends().poll(2);
    done.get(0).require(CqeOpcode.REQ, 0);
    done.get(1).require(CqeOpcode.REQ, 3);
    assertThat(memory.bytes(0, 64)).isEqualTo(local.bytes(0, 64));
  }

  @Test
  void withoutAFenceALocalKeyIsSeenAsItWasToo() {
    RawQp qp = pair.left();
    RawWindow list = new RawWindow(rig);
    qp.write(list.layout(64).klm(64, memory.key(), memory.address(0)).wqe());
    int index = qp.write(Wqe.write(local, 512).data(0, 64, list.key(0)));
    qp.writeRecord();
    qp.ring(index);
    rig.settle();
    var done = qp.sends().poll(2);
    done.get(0).require(CqeOpcode.REQ, 0);
    done.get(1)
        .requireError(
            Syndrome.LOCAL_PROT_ERR, 3, "is free", "has not been executed yet", "small fence");
  }

  @Test
  void oneUmrBehindAnotherNeedsNoFence() {
    RawQp qp = pair.right();
    qp.write(bind(qp, 0, 1).wqe());
    int index = qp.write(window.invalidate(1).wqe());
    qp.writeRecord();
    qp.ring(index);
    rig.settle();
    assertThat(qp.sends().poll(2)).noneMatch(done -> done.isError());
  }

  @Test
  void aBindThatFailsFailsAlsoWhenTheNextRequestWentFirst() {
    RawQp qp = pair.left();
    qp.write(bind(qp, 0, 1).wqe().immediate(0x66_0000));
    int index = qp.write(Wqe.write(memory, 0).data(local, 0, 8));
    qp.writeRecord();
    qp.ring(index);
    rig.settle();
    var done = qp.sends().poll(2);
    done.get(0)
        .requireError(
            Syndrome.MW_BIND_ERR,
            0,
            "umr_mkey 0x660000 in the control segment does not name a memory key");
    done.get(1).requireError(Syndrome.WR_FLUSH_ERR, 3);
  }
}
