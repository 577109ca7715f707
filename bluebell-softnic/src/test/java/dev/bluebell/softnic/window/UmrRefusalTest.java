package dev.bluebell.softnic.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.OtherProcess;
import dev.bluebell.softnic.rig.RawKey;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawWindow;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Umr;
import dev.bluebell.softnic.rig.Wqe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** UMRs that the device refuses: the syndrome, and the field that the explanation names. */
class UmrRefusalTest {
  private final Rig rig = Rigs.open();
  private final RawMemory memory = rig.memory(8192).fill(1);
  private final RawPair pair = rig.pair();
  private final RawQp qp = pair.left();
  private final RawWindow window = new RawWindow(rig);

  @AfterEach
  void close() {
    memory.expectCanaries();
    rig.close();
  }

  private Umr bind() {
    return window.bind(qp, 0, 1, memory, 0, 64);
  }

  private void expect(Wqe wqe, int syndrome, Object... words) {
    int index = qp.post(wqe);
    rig.settle();
    qp.sends().pollOne().requireError(syndrome, index, words);
  }

  private void refused(Umr umr, Object... words) {
    expect(umr.wqe(), Syndrome.MW_BIND_ERR, words);
    assertThat(window.query().isSet(Mkc.FREE)).isTrue();
  }

  @Test
  void aKeyThatDoesNotExistIsRefused() {
    expect(bind().wqe().immediate(0x77_0000), Syndrome.MW_BIND_ERR, "umr_mkey 0x770000");
  }

  @Test
  void aKeyOfAnotherDomainIsRefused() {
    HcaObject domain = rig.nic().allocateProtectionDomain();
    RawWindow other = new RawWindow(rig, 4, mkc -> mkc.set(Mkc.PD, domain.number()));
    expect(
        other.bind(qp, 0, 1, memory, 0, 64).wqe(),
        Syndrome.MW_BIND_ERR,
        "belongs to protection domain 0x%x".formatted(domain.number()));
  }

  @Test
  void aKeyWithoutUmrEnIsRefused() {
    RawKey region = new RawKey(rig, memory);
    expect(
        bind().wqe().immediate(region.key()), Syndrome.MW_BIND_ERR, "was created without umr_en");
  }

  @Test
  void anInvalidateByAnotherTagIsRefused() {
    qp.post(bind().wqe());
    rig.settle();
    qp.sends().pollOne();
    expect(
        window.invalidate(7).wqe(),
        Syndrome.MW_BIND_ERR,
        "has the tag 0x07",
        "is in use as 0x%x".formatted(window.key(1)));
  }

  @Test
  void aBindByTheKeyBeforeTheLastBindSaysThatTheWindowIsBound() {
    qp.post(bind().wqe());
    rig.settle();
    qp.sends().pollOne();
    expect(
        window.bind(qp, 0, 2, memory, 0, 64).wqe(),
        Syndrome.MW_BIND_ERR,
        "is in use as 0x%x".formatted(window.key(1)),
        "qpn_mkey has the new tag; the window is bound, and must be invalidated first");
  }

  @Test
  void aRefusalSaysWhetherTheRequestBindsOrInvalidates() {
    qp.post(bind().wqe());
    rig.settle();
    qp.sends().pollOne();
    expect(window.invalidate(7).wqe(), Syndrome.MW_BIND_ERR, "(opcode UMR (invalidate), ds 8)");
  }

  @Test
  void aRefusedBindIsNamedAsABind() {
    refused(bind().flags(0x80 | 0x40), "(opcode UMR (bind), ds ");
  }

  @Test
  void aFreeKeyThatShouldBeInUseIsRefused() {
    refused(bind().flags(0x80 | 0x40), "have bit 6 (0x40)", "is free");
  }

  @Test
  void aPartialChangeOfATranslationIsRefused() {
    refused(bind().offset(4), "translation_offset is 4");
  }

  @Test
  void signaturesOfBlocksAreRefused() {
    refused(bind().flags(0xa0).offset(4), "bsf_octowords is 4");
  }

  @Test
  void fieldsThatTheDeviceDoesNotChangeAreRefused() {
    refused(bind().mask(0x203c7041), "mkey_mask has bits", "0x1000");
  }

  @Test
  void aChangeOfTheDomainIsRefused() {
    refused(
        bind().mask(0x203c60c1).context(mkc -> mkc.set(Mkc.PD, 0x77)), "mkey_mask has PD (bit 7)");
  }

  @Test
  void aLengthOfMoreThanAllMemoryIsRefused() {
    refused(bind().range(0, -1), "len of the new context is larger than the memory behind");
  }

  @Test
  void moreEntriesThanTheKeyHasRoomForAreRefused() {
    refused(
        bind().klm(1, 1, 1).klm(1, 1, 1).klm(1, 1, 1).klm(1, 1, 1),
        "klm_octowords is 8",
        "translations_octword_size 4");
  }

  @Test
  void moreOctowordsThanTheRequestHoldsAreRefused() {
    RawWindow large = new RawWindow(rig, 64, mkc -> {});
    expect(
        large.bind(qp, 0, 1, memory, 0, 64).octowords(40).wqe(),
        Syndrome.LOCAL_QP_OP_ERR,
        "klm_octowords 40 means 640 bytes of translation in the WQE, but ds 12 leaves room for 64");
  }

  @Test
  void repeatBlocksThatDoNotAddUpAreRefused() {
    refused(
        window.layout(64).repeat(9, 2, 1).piece(16, 8, memory.key(), memory.address(0)),
        "the repeat block of the translation is wrong");
  }

  @Test
  void entriesForAKeyOfMemoryAreRefused() {
    RawKey region = new RawKey(rig, memory, mkc -> mkc.set(Mkc.UMR_EN, true));
    expect(
        bind().flags(0x80).wqe().immediate(region.key()),
        Syndrome.MW_BIND_ERR,
        "klm_octowords is 4",
        "access_mode MTT or MEMIC");
  }

  @Test
  void aKeyOfMemoryMayChangeItsRightsAndShrink() {
    RawKey region = new RawKey(rig, memory, mkc -> mkc.set(Mkc.UMR_EN, true));
    Umr umr =
        new Umr(region.key()).flags(0x80).mask(0x3c0001).access(0x10).range(0, 64).octowords(0);
    qp.post(umr.wqe());
    rig.settle();
    qp.sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(region.query().isSet(Mkc.RW)).isFalse();
    assertThat(region.query().isSet(Mkc.RR)).isTrue();
    assertThat(region.query().get(Mkc.LEN)).isEqualTo(64);
    expect(
        new Umr(region.key()).flags(0x80).mask(1).range(0, 8193).wqe(),
        Syndrome.MW_BIND_ERR,
        "len of the new context");
  }

  // ---- translations that are elsewhere

  @Test
  void aTranslationMayLieInMemory() {
    RawMemory list = rig.memory(8192);
    long place = -list.address(0) & 2047;
    list.put(place, bind().translation());
    qp.post(bind().flags(0x30).head().data(list, place, 64));
    rig.settle();
    qp.sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(window.query().isSet(Mkc.FREE)).isFalse();
  }

  @Test
  void aTranslationInMemoryNeedsOneDataSegment() {
    expect(
        bind().flags(0x30).wqe(), Syndrome.LOCAL_QP_OP_ERR, "lack INLINE (bit 7, 0x80)", "(ds 9)");
  }

  @Test
  void aTranslationInMemoryMustBeAligned() {
    long place = (-memory.address(0) & 2047) + 64;
    expect(
        bind().flags(0x30).head().data(memory, place, 64),
        Syndrome.LOCAL_QP_OP_ERR,
        "which is not a multiple of 2048");
  }

  @Test
  void aTranslationInMemoryMustBeReadableByTheQueuePair() {
    expect(
        bind().flags(0x30).head().data(2048, 64, 0x7700),
        Syndrome.LOCAL_PROT_ERR,
        "the translation of the UMR: lkey 0x7700");
  }

  @Test
  void aTranslationInLostMemoryIsRefused() {
    OtherProcess gone = new OtherProcess(rig, 4096).protect(false, false);
    expect(
        bind().flags(0x30).head().data(OtherProcess.BASE, 64, gone.register(HcaAccess.ALL).lkey()),
        Syndrome.LOCAL_PROT_ERR,
        "no longer has such memory");
  }
}
