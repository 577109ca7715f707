package dev.bluebell.softnic;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.QpCommands.AttachToMcgIn;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.AddressVector;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.rig.Addresses;
import dev.bluebell.softnic.rig.OtherProcess;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.RawXrcSrq;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A page fault in a client's memory that does not end stops only that client. Threads wait for the
 * page; the device's clock is held.
 */
@Timeout(60)
class SlowPageTest {
  private static final int BYTES = 64;
  private static final byte[] TEXT = "sixteen bytes so".getBytes(US_ASCII);

  private final Rig device = Rigs.open();
  private final Rig slow = client();
  private final Rig other = client();
  private final RawPair victim = other.pair();
  private final RawMemory victims = other.memory(BYTES);
  private final SlowPage page = new SlowPage(device, slow);

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

  private void expectTheOtherToWork() {
    victim.left().post(Wqe.write(victims, 48).data(victims, 56, 8));
    device.settle();
    victim.left().sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  private Wqe dataOfThePage(Wqe wqe) {
    return wqe.data(OtherProcess.BASE, TEXT.length, page.key().lkey());
  }

  @Test
  void aWriteFromASlowPageIsSentWhenThePageArrives() throws InterruptedException {
    RawPair pair = slow.pair();
    RawMemory target = slow.memory(BYTES);
    page.memory().put(0, TEXT);
    pair.left().post(dataOfThePage(Wqe.write(target, 0)));
    page.stick();
    expectTheOtherToWork();
    assertThat(pair.left().sends().peek()).isEmpty();
    page.unstick();
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(target.bytes(0, TEXT.length)).isEqualTo(TEXT);
  }

  @Test
  void otherQueuePairsOfASlowClientWaitToo() throws InterruptedException {
    RawPair pair = slow.pair();
    RawPair second = slow.pair();
    RawMemory target = slow.memory(BYTES);
    pair.left().post(dataOfThePage(Wqe.write(target, 0)));
    page.stick();
    second.left().post(dataOfThePage(Wqe.write(target, 32)));
    device.settle();
    assertThat(second.left().sends().peek()).isEmpty();
    assertThat(page.copies()).isEqualTo(1);
    page.unstick();
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    second.left().sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  @Test
  void aWriteToASlowPageHoldsUpOnlyQueuePairsThatUseThatPage() throws InterruptedException {
    RawPair toSlow = RawPair.connect(other.qp(other.cq(6)), slow.qp(slow.cq(6)), new Settings());
    RawPair second = RawPair.connect(other.qp(other.cq(6)), slow.qp(slow.cq(6)), new Settings());
    victims.put(0, TEXT);
    toSlow
        .left()
        .post(
            new Wqe(WqeOpcode.RDMA_WRITE)
                .remote(OtherProcess.BASE, page.key().rkey())
                .data(victims, 0, TEXT.length));
    page.stick();
    // It would wait for the same page.
    second
        .left()
        .post(
            new Wqe(WqeOpcode.RDMA_WRITE)
                .remote(OtherProcess.BASE + 16, page.key().rkey())
                .data(victims, 0, TEXT.length));
    expectTheOtherToWork();
    assertThat(second.left().sends().peek()).isEmpty();
    assertThat(page.copies()).isEqualTo(1);
    page.unstick();
    toSlow.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    second.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(page.memory().bytes(0, TEXT.length)).isEqualTo(TEXT);
    assertThat(page.memory().bytes(16, TEXT.length)).isEqualTo(TEXT);
  }

  @Test
  void aReadIntoASlowPageCompletesWhenThePageArrives() throws InterruptedException {
    RawPair pair = RawPair.connect(slow.qp(slow.cq(6)), other.qp(other.cq(6)), new Settings());
    victims.put(0, TEXT);
    pair.left().post(dataOfThePage(Wqe.read(victims, 0)));
    page.stick();
    expectTheOtherToWork();
    page.unstick();
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(page.memory().bytes(0, TEXT.length)).isEqualTo(TEXT);
  }

  @Test
  void aReadOfASlowPageWaitsForAsLongAsThePageTakes() throws InterruptedException {
    Settings impatient = new Settings().timeout(1).retryCount(0);
    RawPair pair = RawPair.connect(other.qp(other.cq(6)), slow.qp(slow.cq(6)), impatient);
    page.memory().put(0, TEXT);
    pair.left()
        .post(
            new Wqe(WqeOpcode.RDMA_READ)
                .remote(OtherProcess.BASE, page.key().rkey())
                .data(victims, 0, TEXT.length));
    page.stick();
    for (int i = 0; i < 10; i++) {
      device.pass(TimeUnit.SECONDS.toNanos(1));
    }
    assertThat(pair.left().sends().peek()).isEmpty();
    page.unstick();
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(victims.bytes(0, TEXT.length)).isEqualTo(TEXT);
  }

  @Test
  void aWriteToASlowPageWaitsForAsLongAsThePageTakes() throws InterruptedException {
    Settings impatient = new Settings().timeout(1).retryCount(0);
    RawPair pair = RawPair.connect(other.qp(other.cq(6)), slow.qp(slow.cq(6)), impatient);
    victims.put(0, TEXT);
    pair.left()
        .post(
            new Wqe(WqeOpcode.RDMA_WRITE)
                .remote(OtherProcess.BASE, page.key().rkey())
                .data(victims, 0, TEXT.length));
    page.stick();
    for (int i = 0; i < 10; i++) {
      device.pass(TimeUnit.SECONDS.toNanos(1));
    }
    assertThat(pair.left().sends().peek()).isEmpty();
    page.unstick();
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(page.memory().bytes(0, TEXT.length)).isEqualTo(TEXT);
  }

  // ---- datagrams to a group

  private static final int QKEY = 0x11111111;
  private static final Gid GROUP = new Gid(0xff12_401b_ffff_0000L, 1);
  private static final long GROUP_MAC = 0x3333_0000_0001L;

  private static RawQp datagrams(Rig rig) {
    RawQp qp = rig.qp(new RawQpPlan(rig.cq(6)).service(ServiceType.UD.code()));
    qp.connect(0, new Settings().qkey(QKEY));
    return qp;
  }

  private static RawQp member(Rig rig) {
    RawQp qp = datagrams(rig);
    qp.object()
        .modify(
            View.command(AttachToMcgIn.STRUCTURE, CommandOpcode.ATTACH_TO_MCG)
                .set(AttachToMcgIn.QPN, qp.number())
                .setBytes(AttachToMcgIn.MULTICAST_GID, GROUP.bytes())
                .bytes());
    return qp;
  }

  private Wqe toGroup(int bytes) {
    return new Wqe(WqeOpcode.SEND)
        .words(AddressVector.keyWord(QKEY), AddressVector.destinationWord(0xff_ffff, 0, 0xc000))
        .words(
            AddressVector.rmacWord(GROUP_MAC),
            AddressVector.routeWord(GROUP_MAC, 0, 63, Addresses.LINK_LOCAL, 0))
        .words(GROUP.high(), GROUP.low())
        .data(victims, 0, bytes);
  }

  @Test
  void aDatagramToAGroupDoesNotReachAMemberWhoseClientWaitsForAPage() throws InterruptedException {
    RawQp waiting = member(slow);
    waiting.receive(OtherProcess.BASE, BYTES, page.key().lkey());
    RawQp member = member(other);
    member.receive(victims.address(16), BYTES - 16, victims.key());
    member.receive(victims.address(16), BYTES - 16, victims.key());
    RawQp sender = datagrams(other);
    RawQp second = datagrams(other);
    sender.post(toGroup(8));
    page.stick();
    second.post(toGroup(4));
    device.settle();
    second.sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(member.receives().poll())
        .singleElement()
        .satisfies(
            cqe -> assertThat(cqe.require(CqeOpcode.RESP_SEND, 0).byteCount()).isEqualTo(44));
    assertThat(waiting.receives().peek()).isEmpty();
    page.unstick();
    sender.sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(waiting.receives().pollOne().require(CqeOpcode.RESP_SEND, 0).byteCount())
        .isEqualTo(48);
    member.receives().pollOne().require(CqeOpcode.RESP_SEND, 1);
    assertThat(waiting.state()).isEqualTo(QpState.RTS);
    assertThat(sender.state()).isEqualTo(QpState.RTS);
    assertThat(other.explanation()).contains("waits for a page");
  }

  @Test
  void aMessageForAnXrcQueueWaitsForThePageOfTheQueuesClient() throws InterruptedException {
    HcaObject xrcd = RawXrcSrq.domain(slow);
    RawXrcSrq srq = new RawXrcSrq(slow, xrcd);
    srq.receive(OtherProcess.BASE, 16, page.key().lkey());
    srq.receive(OtherProcess.BASE + 16, 16, page.key().lkey());
    RawPair pair =
        RawPair.connect(RawXrcSrq.initiator(other), RawXrcSrq.target(other, xrcd), new Settings());
    RawPair second =
        RawPair.connect(RawXrcSrq.initiator(other), RawXrcSrq.target(other, xrcd), new Settings());
    victims.put(0, TEXT);
    pair.left().post(Wqe.send().xrc(srq.number()).data(victims, 0, TEXT.length));
    page.stick();
    second.left().post(Wqe.send().xrc(srq.number()).data(victims, 0, TEXT.length));
    expectTheOtherToWork();
    assertThat(second.left().sends().peek()).isEmpty();
    page.unstick();
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    second.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(page.memory().bytes(0, TEXT.length)).isEqualTo(TEXT);
    assertThat(page.memory().bytes(16, TEXT.length)).isEqualTo(TEXT);
  }

  @Test
  void payloadOfOtherClientsIsNotMixedWithTheWaitingPayload() throws InterruptedException {
    RawPair pair = slow.pair();
    RawMemory target = slow.memory(BYTES);
    page.memory().put(0, TEXT);
    pair.left().post(dataOfThePage(Wqe.write(target, 0)));
    page.stick();
    SlowPage quick = new SlowPage(device, other);
    quick.memory().put(0, "quite other text".getBytes(US_ASCII));
    victim
        .left()
        .post(Wqe.write(victims, 0).data(OtherProcess.BASE, TEXT.length, quick.key().lkey()));
    device.settle();
    victim.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(new String(victims.bytes(0, TEXT.length), US_ASCII)).isEqualTo("quite other text");
    page.unstick();
    assertThat(target.bytes(0, TEXT.length)).isEqualTo(TEXT);
  }

  @Test
  void commandsOfASlowClientWaitForItsPageAndOtherClientsCommandsDoNot()
      throws InterruptedException {
    RawPair pair = slow.pair();
    RawMemory target = slow.memory(BYTES);
    pair.left().post(dataOfThePage(Wqe.write(target, 0)));
    page.stick();
    CountDownLatch ended = new CountDownLatch(1);
    Thread command =
        Thread.ofPlatform()
            .start(
                () -> {
                  target.registration().close();
                  ended.countDown();
                });
    other.memory(BYTES).registration().close();
    expectTheOtherToWork();
    assertThat(ended.getCount()).isEqualTo(1);
    page.unstick();
    assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
    command.join();
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  @Test
  void aKeyIsDestroyedAfterATurnThatBeganWhileTheCommandWaitedForAnotherPage()
      throws InterruptedException {
    try (SlowPage others = new SlowPage(device, other)) {
      RawPair toOther = RawPair.connect(slow.qp(slow.cq(6)), other.qp(other.cq(6)), new Settings());
      RawMemory target = slow.memory(BYTES);
      RawPair own = slow.pair();
      page.memory().put(0, TEXT);
      toOther
          .left()
          .post(
              new Wqe(WqeOpcode.RDMA_WRITE)
                  .remote(OtherProcess.BASE, others.key().rkey())
                  .data(target, 0, TEXT.length));
      AtomicBoolean early = new AtomicBoolean();
      Thread command =
          others.stickCommand(
              () -> {
                page.key().close();
                early.set(page.waits());
              });
      own.left().post(dataOfThePage(Wqe.write(target, 32)));
      page.stick();
      others.end();
      while (command.getState() != Thread.State.TIMED_WAITING && command.isAlive()) {
        Thread.onSpinWait();
      }
      page.unstick();
      command.join();
      assertThat(early).isFalse();
      own.left().sends().pollOne().require(CqeOpcode.REQ, 0);
      toOther.left().sends().pollOne().require(CqeOpcode.REQ, 0);
      assertThat(target.bytes(32, TEXT.length)).isEqualTo(TEXT);
    }
  }

  @Test
  void aDeviceCanBeClosedWhileATurnWaits() throws InterruptedException {
    RawPair pair = slow.pair();
    RawMemory target = slow.memory(BYTES);
    page.memory().put(0, TEXT);
    pair.left().post(dataOfThePage(Wqe.write(target, 0)));
    page.expectTheEnd();
    page.stick();
    device.nic().close();
    page.arrive();
    assertThat(target.bytes(0, TEXT.length)).as("nothing is touched").containsOnly(0);
  }
}
