package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.AddressVector;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.rig.Addresses;
import dev.bluebell.softnic.rig.OtherProcess;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Datagrams that do not arrive: what each end reports, and what the device explains. */
class DatagramDropTest extends Datagrams {

  /** Sends a datagram that completes at the sender and never reaches the receiver. */
  private void expectDropped(Wqe wqe, String... explained) {
    sender.post(wqe);
    rig.settle();
    sender.sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(receiver.receives().peek()).isEmpty();
    assertThat(sender.state()).isEqualTo(QpState.RTS);
    assertThat(rig.explanation()).contains("was silently dropped").contains(explained);
    assertThat(String.join("\n", objects())).contains("1 message dropped");
  }

  private List<String> objects() {
    return rig.nic().diagnosis().orElseThrow().objects();
  }

  @Test
  void aDatagramToAnUnknownQueuePairIsDropped() {
    expectDropped(to(0x777), "no QP 0x777 exists", "dqp_dct");
  }

  @Test
  void aDatagramToAConnectionIsDropped() {
    RawQp connected = rig.pair().left();
    expectDropped(
        to(connected.number()),
        "QP 0x%x is of service RC".formatted(connected.number()),
        "of service UD");
  }

  @Test
  void aDatagramToAGidThatNoPortHasIsDropped() {
    expectDropped(
        Wqe.datagram(WqeOpcode.SEND, receiver.number(), QKEY, 0, new Gid(1, 2)).data(source, 0, 8),
        "no port of this device reaches",
        "(rgid)");
  }

  @Test
  void aDatagramFromAnIpv6AddressToAnIpv4AddressIsDropped() {
    expectDropped(
        Wqe.datagram(
                WqeOpcode.SEND,
                receiver.number(),
                QKEY,
                Addresses.LINK_LOCAL,
                Addresses.gid(Addresses.IPV4))
            .data(source, 0, 8),
        "not both IPv4 or both IPv6");
  }

  @Test
  void aDatagramWithAnotherQueueKeyIsDropped() {
    receive(receiver);
    expectDropped(
        Wqe.datagram(
                WqeOpcode.SEND,
                receiver.number(),
                0x22222222,
                Addresses.LINK_LOCAL,
                Addresses.gid(Addresses.LINK_LOCAL))
            .data(source, 0, 8),
        "qkey",
        "0x11111111",
        "0x22222222");
    assertThat(target.bytes(0, 48)).containsOnly(0);
  }

  @Test
  void aDatagramThatFindsNoReceiveIsDroppedAndTheNextArrives() {
    expectDropped(to(receiver.number()), "has no receive WQE posted");
    receive(receiver);
    sender.post(to(receiver.number()));
    rig.settle();
    receiver.receives().pollOne().require(CqeOpcode.RESP_SEND, 0);
  }

  @Test
  void aFalseReceiveRecordFailsTheReceiver() {
    receiver.writeReceiveRecord(40_000);
    sender.post(to(receiver.number()));
    rig.settle();
    sender.sends().pollOne().require(CqeOpcode.REQ, 0);
    receiver
        .receives()
        .pollOne()
        .requireError(Syndrome.LOCAL_QP_OP_ERR, 0, "receive counter", "claims more WQEs");
    assertThat(receiver.state()).isEqualTo(QpState.ERR);
  }

  @Test
  void aDatagramToAQueuePairThatIsNotReadyIsDropped() {
    RawQp fresh = rig.qp(plan());
    expectDropped(to(fresh.number()), "is in RST and takes no datagrams");
  }

  @Test
  void aFloodOfDropsIsCountedAndNotAllExplained() {
    for (int i = 0; i < 40; i++) {
      sender.post(to(receiver.number()));
      rig.settle();
    }
    sender.sends().poll(40);
    assertThat(String.join("\n", objects())).contains("40 messages dropped");
    assertThat(rig.explanations().stream().filter(line -> line.contains("silently dropped")))
        .hasSize(17);
    assertThat(rig.explanation()).contains("message 32 was silently dropped");
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 47})
  void aReceiveThatIsTooShortFailsTheReceiver(int bytes) {
    receiver.receive(target.address(0), bytes, target.key());
    receive(receiver);
    sender.post(to(receiver.number()));
    rig.settle();
    sender.sends().pollOne().require(CqeOpcode.REQ, 0);
    var completions = receiver.receives().poll(2);
    completions
        .getFirst()
        .requireError(Syndrome.LOCAL_LENGTH_ERR, 0, "48 bytes", "adds 40 bytes", bytes);
    completions.getLast().requireError(Syndrome.WR_FLUSH_ERR, 1);
    assertThat(receiver.state()).isEqualTo(QpState.ERR);
    assertThat(target.bytes(0, 48)).containsOnly(0);
  }

  @Test
  void aReceiveBufferThatIsNotWritableFailsTheReceiver() {
    RawMemory readOnly = rig.memory(100, HcaAccess.REMOTE_READ);
    receiver.receive(readOnly.address(0), 100, readOnly.key());
    sender.post(to(receiver.number()));
    rig.settle();
    receiver.receives().pollOne().requireError(Syndrome.LOCAL_PROT_ERR, 0, "LOCAL_WRITE");
    assertThat(receiver.state()).isEqualTo(QpState.ERR);
  }

  @Test
  void aReceiveBufferOfAnotherProcessThatIsGoneFailsTheReceiver() {
    OtherProcess gone = new OtherProcess(rig, 100).protect(true, false);
    receiver.receive(OtherProcess.BASE, 100, gone.register(HcaAccess.ALL).lkey());
    sender.post(to(receiver.number()));
    rig.settle();
    receiver
        .receives()
        .pollOne()
        .requireError(Syndrome.LOCAL_PROT_ERR, 0, "no longer has such memory");
  }

  // ---- errors at the sender

  private void expectRefused(Wqe wqe, int syndrome, Object... explained) {
    receive(receiver);
    sender.post(wqe);
    rig.settle();
    sender.sends().pollOne().requireError(syndrome, 0, explained);
    assertThat(sender.state()).isEqualTo(QpState.SQER);
    assertThat(receiver.receives().peek()).isEmpty();
  }

  @Test
  void aMessageBeyondTheMtuIsALocalLengthError() {
    expectRefused(
        Wqe.datagram(receiver, Addresses.LINK_LOCAL).data(source, 0, 4097),
        Syndrome.LOCAL_LENGTH_ERR,
        "byte_count",
        "4097",
        "4096 bytes of a datagram (mtu)");
  }

  @Test
  void theMtuIsThatOfTheQueuePair() {
    RawQp small = rig.qp(plan());
    small.connect(0, new Settings().mtu(1));
    small.post(Wqe.datagram(receiver, Addresses.LINK_LOCAL).data(source, 0, 257));
    rig.settle();
    small.sends().pollOne().requireError(Syndrome.LOCAL_LENGTH_ERR, 0, "257", "256");
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        WqeOpcode.SEND_INVAL,
        WqeOpcode.RDMA_WRITE,
        WqeOpcode.RDMA_WRITE_IMM,
        WqeOpcode.RDMA_READ,
        WqeOpcode.ATOMIC_CS,
        WqeOpcode.ATOMIC_FA,
        WqeOpcode.UMR,
        WqeOpcode.TSO
      })
  void onlySendsAreDatagrams(int opcode) {
    expectRefused(
        Wqe.datagram(
                opcode,
                receiver.number(),
                QKEY,
                Addresses.LINK_LOCAL,
                Addresses.gid(Addresses.LINK_LOCAL))
            .data(source, 0, 8),
        Syndrome.LOCAL_QP_OP_ERR,
        "opcode " + WqeOpcode.name(opcode),
        "a UD send queue");
  }

  @Test
  void aWqeWithoutAnAddressVectorIsRefused() {
    expectRefused(Wqe.send().data(source, 0, 8), Syndrome.LOCAL_QP_OP_ERR, "ds 2", "4 units");
  }

  @Test
  void aCompactAddressVectorIsRefused() {
    expectRefused(
        Wqe.send()
            .words(
                AddressVector.keyWord(QKEY),
                AddressVector.destinationWord(receiver.number(), 0, 0) & Long.MAX_VALUE)
            .words(0, 0)
            .words(0, 0)
            .data(source, 0, 8),
        Syndrome.LOCAL_QP_OP_ERR,
        "ext");
  }

  @Test
  void aSourceThatIsNotInTheGidTableIsRefused() {
    expectRefused(
        Wqe.datagram(
                WqeOpcode.SEND, receiver.number(), QKEY, 6, Addresses.gid(Addresses.LINK_LOCAL))
            .data(source, 0, 8),
        Syndrome.LOCAL_QP_OP_ERR,
        "src_addr_index 6");
  }

  @Test
  void aGatherEntryIsChecked() {
    expectRefused(
        Wqe.datagram(receiver, Addresses.LINK_LOCAL).data(source.address(0), 8, 0x777),
        Syndrome.LOCAL_PROT_ERR,
        "lkey 0x777");
  }

  @Test
  void memoryOfAnotherProcessThatIsGoneIsALocalProtectionError() {
    OtherProcess gone = new OtherProcess(rig, 100).protect(false, false);
    int key = gone.register(HcaAccess.ALL).lkey();
    expectRefused(
        Wqe.datagram(receiver, Addresses.LINK_LOCAL).data(OtherProcess.BASE, 8, key),
        Syndrome.LOCAL_PROT_ERR,
        "no longer has such memory");
  }

  @Test
  void anIndexThatIsWrongIsRefused() {
    expectRefused(to(receiver.number()).index(5), Syndrome.LOCAL_QP_OP_ERR, "wqe_index");
  }

  // ---- the state SQER

  @Test
  void requestsAfterAFailedSendAreFlushedAndReceivingContinues() {
    receive(receiver);
    receiver.write(Wqe.datagram(sender, Addresses.LINK_LOCAL).data(source.address(0), 8, 0x777));
    receiver.write(to(sender.number()));
    receiver.post(Wqe.nop().unsignalled());
    rig.settle();
    var completions = receiver.sends().poll(3);
    completions.get(0).requireError(Syndrome.LOCAL_PROT_ERR, 0);
    completions.get(1).requireError(Syndrome.WR_FLUSH_ERR, 2, "is in SQER");
    completions.get(2).requireError(Syndrome.WR_FLUSH_ERR, 4);
    receiver.post(to(sender.number()));
    sender.post(to(receiver.number()));
    rig.settle();
    assertThat(receiver.receives().poll(2).stream().map(cqe -> CqeOpcode.name(cqe.opcode())))
        .containsExactlyInAnyOrder("REQ_ERR", "RESP_SEND");
  }

  @Test
  void sqerr2RtsLetsTheSendQueueWorkAgain() {
    sender.write(Wqe.datagram(receiver, Addresses.LINK_LOCAL).data(source.address(0), 8, 0x777));
    sender.post(to(receiver.number()));
    rig.settle();
    sender.sends().poll(2);
    sender.object().modify(sender.transition(CommandOpcode.SQERR2RTS_QP).bytes());
    assertThat(sender.state()).isEqualTo(QpState.RTS);
    receive(receiver);
    sender.post(to(receiver.number()));
    rig.settle();
    sender.sends().pollOne().require(CqeOpcode.REQ, 4);
    receiver.receives().pollOne().require(CqeOpcode.RESP_SEND, 0);
  }

  @Test
  void requestsPostedBeforeSqerr2RtsAreFlushed() {
    sender.post(Wqe.datagram(receiver, Addresses.LINK_LOCAL).data(source.address(0), 8, 0x777));
    rig.settle();
    sender.post(to(receiver.number()));
    sender.object().modify(sender.transition(CommandOpcode.SQERR2RTS_QP).bytes());
    rig.settle();
    sender.sends().poll(2).getLast().requireError(Syndrome.WR_FLUSH_ERR, 2);
  }

  @Test
  void anOverrunOfTheSendersQueueEndsTheWholeQueuePair() {
    RawQp small = ready(new RawQpPlan(rig.cq(1)).receiveCompletions(rig.cq(4)).service(UD));
    for (int i = 0; i < 3; i++) {
      small.post(to(0x777));
    }
    rig.settle();
    assertThat(small.state()).isEqualTo(QpState.ERR);
    assertThat(small.sends().peek()).hasSize(2);
  }
}
