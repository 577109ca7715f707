package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.hca.HcaMemory;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpTransitions.Init2initQpIn;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.AddressVector;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.rig.Addresses;
import dev.bluebell.softnic.rig.OtherProcess;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Datagrams that arrive. */
class DatagramTest extends Datagrams {
  private static final int HEADER = 40;
  private static final int OPT_Q_KEY = 1 << 5;

  private RawCqe deliver(Wqe wqe) {
    receive(receiver);
    sender.post(wqe);
    rig.settle();
    sender.sends().pollOne().require(CqeOpcode.REQ, 0);
    return receiver.receives().pollOne();
  }

  private void expectPayload(int bytes) {
    assertThat(target.bytes(HEADER, bytes)).isEqualTo(source.bytes(0, bytes));
    assertThat(target.bytes(HEADER + bytes, 1)).containsOnly(0);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 100, 4096})
  void theMessageArrivesBehindFortyBytes(int bytes) {
    RawCqe received = deliver(Wqe.datagram(receiver, Addresses.LINK_LOCAL).data(source, 0, bytes));
    received.require(CqeOpcode.RESP_SEND, 0);
    assertThat(received.byteCount()).isEqualTo(HEADER + bytes);
    expectPayload(bytes);
  }

  @Test
  void theCompletionNamesTheSenderTheHeaderAndThePartition() {
    RawCqe received = deliver(Wqe.datagram(receiver, Addresses.LINK_LOCAL).data(source, 0, 8));
    assertThat(received.remoteQpn()).isEqualTo(sender.number());
    assertThat(Cqe.hasHeader(received.flags())).isTrue();
    assertThat(Cqe.l3Type(received.flags())).isEqualTo(Cqe.L3_IPV6);
    assertThat(Cqe.SL.getInt(received.flags())).isEqualTo(8 | Cqe.L3_IPV6);
    assertThat(received.immediate()).isEqualTo(0xffff);
    assertThat(received.solicited()).isFalse();
  }

  @Test
  void aTracedDatagramIsRecordedByItsReceiver() {
    HcaDiagnosis diagnosis = rig.nic().diagnosis().orElseThrow();
    diagnosis.trace(true);
    RawCqe unused = deliver(Wqe.datagram(receiver, Addresses.LINK_LOCAL).data(source, 0, 8));
    assertThat(diagnosis.flightRecord())
        .anyMatch(
            line ->
                line.endsWith(
                    "QP 0x%x executed WQE 0 of QP 0x%x"
                        .formatted(receiver.number(), sender.number())));
  }

  @Test
  void anImmediateAndASolicitedEventArrive() {
    RawCqe received =
        deliver(
            Wqe.datagram(
                    WqeOpcode.SEND_IMM,
                    receiver.number(),
                    QKEY,
                    Addresses.IPV4,
                    Addresses.gid(Addresses.IPV4))
                .data(source, 0, 8)
                .immediate(0xcafe)
                .control(ControlSegment.CE_ALWAYS | ControlSegment.SOLICITED));
    received.require(CqeOpcode.RESP_SEND_IMM, 0);
    assertThat(received.immediate()).isEqualTo(0xcafe);
    assertThat(received.solicited()).isTrue();
    assertThat(Cqe.l3Type(received.flags())).isEqualTo(Cqe.L3_IPV4);
  }

  @Test
  void anIpv6HeaderStandsInFrontOfTheMessage() {
    deliver(Wqe.datagram(receiver, Addresses.LINK_LOCAL).data(source, 0, 9));
    ByteBuffer header = ByteBuffer.wrap(target.bytes(0, HEADER));
    assertThat(header.getInt()).isEqualTo(0x66a12345);
    // UDP, BTH, DETH, payload with padding, ICRC.
    assertThat(header.getShort()).isEqualTo((short) (8 + 12 + 8 + 12 + 4));
    assertThat(header.get()).isEqualTo((byte) 17);
    assertThat(header.get()).isEqualTo((byte) 63);
    byte[] gid = Addresses.gid(Addresses.LINK_LOCAL).bytes();
    assertThat(target.bytes(8, 16)).isEqualTo(gid);
    assertThat(target.bytes(24, 16)).isEqualTo(gid);
  }

  @Test
  void anIpv4HeaderFillsTheLastTwentyBytesAndItsChecksumIsRight() {
    target.fill(9);
    deliver(
        Wqe.datagram(
                WqeOpcode.SEND_IMM,
                receiver.number(),
                QKEY,
                Addresses.IPV4,
                Addresses.gid(Addresses.IPV4))
            .data(source, 0, 8));
    for (byte undefined : target.bytes(0, 20)) {
      assertThat(undefined).isNotZero();
    }
    ByteBuffer header = ByteBuffer.wrap(target.bytes(20, 20));
    assertThat(header.getShort(0)).isEqualTo((short) 0x456a);
    assertThat(header.getShort(2)).isEqualTo((short) (20 + 8 + 12 + 8 + 4 + 8 + 4));
    assertThat(header.get(8)).isEqualTo((byte) 63);
    assertThat(header.get(9)).isEqualTo((byte) 17);
    assertThat(header.getInt(12)).isEqualTo(0x7f000001);
    assertThat(header.getInt(16)).isEqualTo(0x7f000001);
    int sum = 0;
    for (int i = 0; i < 20; i += 2) {
      sum += header.getShort(i) & 0xffff;
    }
    assertThat((sum & 0xffff) + (sum >>> 16)).isEqualTo(0xffff);
  }

  @Test
  void gatheredAndInlineDataArrive() {
    byte[] inline = source.bytes(300, 60);
    deliver(
        Wqe.datagram(receiver, Addresses.LINK_LOCAL)
            .data(source, 0, 100)
            .inline(inline)
            .data(source, 4000, 500));
    assertThat(target.bytes(HEADER, 100)).isEqualTo(source.bytes(0, 100));
    assertThat(target.bytes(HEADER + 100, 60)).isEqualTo(inline);
    assertThat(target.bytes(HEADER + 160, 500)).isEqualTo(source.bytes(4000, 500));
  }

  @Test
  void theScatterListMayEndInsideTheHeader() {
    RawQp scattering = ready(plan().sizes(4, 3, 5));
    scattering.receiveTwo(target.address(0), 30, target.address(1000), 100, target.key());
    sender.post(Wqe.datagram(scattering, Addresses.LINK_LOCAL).data(source, 0, 50));
    rig.settle();
    scattering.receives().pollOne().require(CqeOpcode.RESP_SEND, 0);
    assertThat(target.bytes(0, 4)).isEqualTo(new byte[] {0x66, (byte) 0xa1, 0x23, 0x45});
    assertThat(target.bytes(1010, 50)).isEqualTo(source.bytes(0, 50));
  }

  @Test
  void datagramsTravelBetweenOtherProcesses() {
    OtherProcess from = new OtherProcess(rig, 4096).put(0, source.bytes(0, 2000));
    OtherProcess to = new OtherProcess(rig, 4096);
    HcaMemory fromKey = from.register(HcaAccess.ALL);
    HcaMemory toKey = to.register(HcaAccess.ALL);
    receiver.receive(OtherProcess.BASE, 4096, toKey.lkey());
    sender.post(
        Wqe.datagram(receiver, Addresses.LINK_LOCAL).data(OtherProcess.BASE, 2000, fromKey.lkey()));
    rig.settle();
    receiver.receives().pollOne().require(CqeOpcode.RESP_SEND, 0);
    assertThat(to.bytes(HEADER, 2000)).isEqualTo(source.bytes(0, 2000));
    assertThat(to.bytes(0, 1)).isEqualTo(new byte[] {0x66});
  }

  @Test
  void aQueuePairExchangesDatagramsWithManyPeers() {
    RawQp third = datagrams();
    for (int i = 0; i < 4; i++) {
      receive(receiver);
      receive(third);
    }
    sender.write(Wqe.datagram(receiver, Addresses.LINK_LOCAL).data(source, 0, 8));
    sender.write(Wqe.datagram(third, Addresses.IPV4).data(source, 0, 8));
    sender.post(Wqe.datagram(receiver, Addresses.IPV4).data(source, 0, 8));
    third.post(Wqe.datagram(receiver, Addresses.LINK_LOCAL).data(source, 0, 8));
    rig.settle();
    assertThat(receiver.receives().poll(3).stream().map(RawCqe::remoteQpn))
        .containsExactlyInAnyOrder(sender.number(), sender.number(), third.number());
    assertThat(third.receives().poll(2).stream().map(RawCqe::opcode))
        .containsExactlyInAnyOrder(CqeOpcode.REQ, CqeOpcode.RESP_SEND);
  }

  @Test
  void aQueuePairMayTalkToItself() {
    sender.receive(target.address(0), 100, target.key());
    sender.post(Wqe.datagram(sender, Addresses.LINK_LOCAL).data(source, 0, 60));
    rig.settle();
    assertThat(sender.sends().poll(2).stream().map(RawCqe::opcode))
        .containsExactlyInAnyOrder(CqeOpcode.REQ, CqeOpcode.RESP_SEND);
    expectPayload(60);
  }

  @Test
  void aKeyWithTheHighestBitMeansTheSendersOwn() {
    RawCqe received =
        deliver(
            Wqe.datagram(
                    WqeOpcode.SEND,
                    receiver.number(),
                    AddressVector.OWN_QKEY | 5,
                    Addresses.LINK_LOCAL,
                    Addresses.gid(Addresses.LINK_LOCAL))
                .data(source, 0, 8));
    received.require(CqeOpcode.RESP_SEND, 0);
  }

  @Test
  void theQueueKeyCanBeChangedLater() {
    View command =
        receiver.transition(CommandOpcode.RTS2RTS_QP).set(Init2initQpIn.OPT_PARAM_MASK, OPT_Q_KEY);
    command.at(Init2initQpIn.QPC).set(Qpc.Q_KEY, 0x2222);
    receiver.object().modify(command.bytes());
    assertThat(receiver.query().getInt(Qpc.Q_KEY)).isEqualTo(0x2222);
    deliver(
        Wqe.datagram(
                WqeOpcode.SEND,
                receiver.number(),
                0x2222,
                Addresses.LINK_LOCAL,
                Addresses.gid(Addresses.LINK_LOCAL))
            .data(source, 0, 8));
    expectPayload(8);
  }

  @Test
  void sendsCompleteInOrderAndOnlyWhenSignalled() {
    for (int i = 0; i < 5; i++) {
      receive(receiver);
      sender.write(Wqe.datagram(receiver, Addresses.LINK_LOCAL).data(source, 0, 8).unsignalled());
    }
    sender.post(Wqe.nop());
    rig.settle();
    sender.sends().pollOne().require(CqeOpcode.REQ, 10);
    assertThat(receiver.receives().poll(5).stream().map(RawCqe::wqeCounter))
        .containsExactly(0, 1, 2, 3, 4);
    assertThat(sender.query().getInt(Qpc.NEXT_SEND_PSN)).isEqualTo(0x1005);
  }

  @Test
  void aReceiverNeedsNoMoreThanRtr() {
    RawQp listening = rig.qp(plan());
    Settings settings = new Settings();
    listening.object().modify(settings.toInit(listening.number()).bytes());
    listening.object().modify(settings.toRtr(listening.number(), 0).bytes());
    receive(listening);
    sender.post(Wqe.datagram(listening, Addresses.LINK_LOCAL).data(source, 0, 8));
    rig.settle();
    listening.receives().pollOne().require(CqeOpcode.RESP_SEND, 0);
  }

  @Test
  void theFlightRecorderTracesTheAddressVector() {
    rig.nic().diagnosis().orElseThrow().trace(true);
    deliver(Wqe.datagram(receiver, Addresses.LINK_LOCAL).data(source, 0, 8));
    assertThat(String.join("\n", rig.nic().diagnosis().orElseThrow().flightRecord()))
        .contains("qkey=0x11111111", "dqpn=0x%06x".formatted(receiver.number()));
  }

  @Test
  void aQueuePairWorksAgainAfterAReset() {
    deliver(Wqe.datagram(receiver, Addresses.LINK_LOCAL).data(source, 0, 8));
    receiver.reset();
    sender.reset();
    receiver.connect(0, new Settings());
    sender.connect(0, new Settings());
    deliver(Wqe.datagram(receiver, Addresses.LINK_LOCAL).data(source, 0, 16))
        .require(CqeOpcode.RESP_SEND, 0);
    expectPayload(16);
  }
}
