package dev.bluebell.softnic.transport.unreliable;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.wqe.AddressVector;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.port.Gids;
import dev.bluebell.softnic.queue.Fault;
import dev.bluebell.softnic.rig.Addresses;
import dev.bluebell.softnic.rig.LoneEnd;
import dev.bluebell.softnic.rig.LoneMemory;
import dev.bluebell.softnic.rig.Sent;
import dev.bluebell.softnic.rig.Wqe;
import dev.bluebell.softnic.translation.MemoryKey;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The send queues of unreliable queue pairs: each request is complete once it is sent. */
class UnreliableRequesterTest {
  private static final int MTU = LoneEnd.MTU;

  private static UnreliableRequester requester(LoneEnd end, UnreliableSender sender, Fault fault) {
    return new UnreliableRequester(end.both(), sender, fault, end.sendSide(), null, null);
  }

  /** Of connections. */
  @Nested
  class UcTest {
    private final LoneEnd end = new LoneEnd(ServiceType.UC);
    private final LoneMemory local =
        end.chip.memory(1 << 12, MemoryKey.LOCAL_READ).count(0, 1 << 12);
    private final Fault fault = new Fault();
    private final UcSender sender = new UcSender(end.both(), fault, end.drops);
    private final UnreliableRequester requester = requester(end, sender, fault);

    UcTest() {
      restart();
    }

    private void restart() {
      end.connect();
      requester.start(end.qpc, 0);
      requester.configure(end.qpc);
    }

    private Wqe send(int bytes) {
      return Wqe.send().data(local.address(0), bytes, local.key());
    }

    private int postAndWork(Wqe... wqes) {
      end.sends.post(wqes);
      return requester.work();
    }

    @Test
    void aRequestIsCompleteOnceItIsSent() {
      assertThat(postAndWork(send(5), Wqe.nop(), send(6).unsignalled())).isEqualTo(3);
      List<Sent> packets = end.route.take();
      assertThat(packets)
          .hasToString("[SEND_ONLY PSN 1000+1, 5 bytes, SEND_ONLY PSN 1001+1, 6 bytes]");
      assertThat(packets.getFirst().headers().opcode).isEqualTo(0x24);
      assertThat(packets.getFirst().headers().destinationQpn).isEqualTo(LoneEnd.REMOTE_QPN);
      assertThat(packets.getFirst().data()).containsExactly(1, 2, 3, 4, 5);
      assertThat(end.sendsCompleted()).containsExactly("REQ 0 SEND, 0 bytes", "REQ 1 NOP, 0 bytes");
      assertThat(requester.nextPsn()).isEqualTo(1002);
      assertThat(requester.work()).isZero();
      assertThat(requester.deadline()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aWriteSaysWhereItGoes() {
      postAndWork(
          new Wqe(WqeOpcode.RDMA_WRITE_IMM)
              .remote(0x5000, 0x77)
              .immediate(9)
              .control(ControlSegment.SOLICITED)
              .data(local.address(0), 3, local.key()));
      Sent sent = end.route.take().getFirst();
      assertThat(sent).hasToString("WRITE_ONLY_IMMEDIATE PSN 1000+1, 3 bytes, solicited");
      assertThat(sent.headers().address).isEqualTo(0x5000);
      assertThat(sent.headers().rkey).isEqualTo(0x77);
      assertThat(sent.headers().length).isEqualTo(3);
      assertThat(sent.headers().immediate).isEqualTo(9);
    }

    @Test
    void aLongMessageGoesInPieces() {
      postAndWork(send(9 * MTU + 1));
      List<Sent> packets = end.route.take();
      assertThat(packets)
          .hasToString(
              "[SEND_FIRST PSN 1000+4, 1024 bytes, SEND_MIDDLE PSN 1004+4, 1024 bytes, SEND_LAST"
                  + " PSN 1008+2, 257 bytes]");
      assertThat(packets.get(2).data()).isEqualTo(local.bytes(8 * MTU, 257));
      assertThat(end.sendsCompleted()).hasSize(1);
    }

    @Test
    void packetsThatTheRouteRefusesAreSentWhenItHasRoom() {
      end.route.room(1);
      assertThat(postAndWork(send(8 * MTU), send(1))).isEqualTo(1);
      assertThat(end.route.texts()).containsExactly("SEND_FIRST PSN 1000+4, 1024 bytes");
      assertThat(requester.work()).isZero();
      assertThat(end.sendsCompleted()).isEmpty();
      end.route.room(9);
      assertThat(requester.work()).isEqualTo(2);
      assertThat(end.route.texts())
          .containsExactly("SEND_LAST PSN 1004+4, 1024 bytes", "SEND_ONLY PSN 1008+1, 1 bytes");
      assertThat(end.sendsCompleted()).hasSize(2);
    }

    @Test
    void withoutARouteAMessageIsCompleteAndDropped() {
      end.route.leadNowhere();
      restart();
      postAndWork(send(1));
      assertThat(end.sendsCompleted()).hasSize(1);
      assertThat(end.chip.explained())
          .containsExactly(
              "QP 0x40, message 1 was silently dropped: no port of this device reaches the"
                  + " destination GID fe80:0000:0000:0000:00be:11ff:fe00:0002 (rgid)");
      assertThat(requester.nextPsn()).isEqualTo(1001);
    }

    @Test
    void aDropOnTheWayIsCounted() {
      requester.noteDrop(0, "why");
      assertThat(end.drops.count()).isEqualTo(1);
      assertThat(end.chip.recorded()).last().isEqualTo("QP 0x40 dropped a packet, PSN 0x0003e8");
    }

    @Test
    void aTurnMovesAQuarterOfAMegabyte() {
      LoneMemory large = end.chip.memory(1 << 20, MemoryKey.LOCAL_READ);
      assertThat(postAndWork(Wqe.send().data(large.address(0), 1 << 20, large.key()))).isEqualTo(1);
      assertThat(end.route.take()).hasSize(256);
    }

    @Test
    void aTurnSends64Messages() {
      for (int i = 0; i < 70; i++) {
        end.sends.post(Wqe.nop());
      }
      assertThat(requester.work()).isEqualTo(64);
      assertThat(requester.work()).isEqualTo(6);
    }

    @Test
    void aRequestThatCantBeExecutedEndsSending() {
      postAndWork(send(1), new Wqe(WqeOpcode.RDMA_READ).remote(1, 1), send(2));
      assertThat(end.sendsCompleted())
          .containsExactly(
              "REQ 0 SEND, 0 bytes",
              "REQ_ERR 1 RDMA_READ: LOCAL_QP_OP_ERR 0x00, QP 0x40 send WQE 1 (opcode RDMA_READ, ds"
                  + " 2): opcode RDMA_READ is not supported by a UC send queue of this device");
      assertThat(end.life.state()).isEqualTo(QpState.SQER);
      assertThat(end.route.take()).hasSize(1);
    }

    @Test
    void aWqeThatCantBeFetchedEndsSending() {
      postAndWork(send(1).index(5));
      assertThat(end.sendsCompleted().getFirst())
          .startsWith("REQ_ERR 0 SEND: LOCAL_QP_OP_ERR 0x68");
    }

    @Test
    void aKeyThatRefusesEndsSending() {
      postAndWork(Wqe.send().data(0x1000, 8, 0xbad00));
      assertThat(end.sendsCompleted().getFirst()).startsWith("REQ_ERR 0 SEND: LOCAL_PROT_ERR 0x51");
      assertThat(end.route.take()).isEmpty();
    }

    @Test
    void aWqeThatCantBeFetchedIsNotTakenForAnEarlierWqe() {
      for (int i = 0; i < 64; i++) {
        postAndWork(send(1));
      }
      end.sendsCompleted();
      postAndWork(send(1).index(5));
      assertThat(end.sendsCompleted().getFirst()).startsWith("REQ_ERR 64 SEND: LOCAL_QP_OP_ERR");
      assertThat(end.sends.queue().nextIndex()).isEqualTo(65);
    }

    @Test
    void aKeyThatRefusesInTheMidstStartsTheNextMessageAnew() {
      postAndWork(Wqe.send().data(local.address(0), 4 * MTU, local.key()).data(0x1000, 8, 0xbad00));
      assertThat(end.route.texts()).containsExactly("SEND_FIRST PSN 1000+4, 1024 bytes");
      assertThat(end.sendsCompleted()).hasSize(1);
      end.life.enter(QpState.RTS);
      postAndWork(send(1));
      assertThat(end.route.texts()).containsExactly("SEND_ONLY PSN 1004+1, 1 bytes");
    }

    @Test
    void anOverrunOfItsCqFailsTheQueuePair() {
      for (int i = 0; i < 256; i++) {
        end.sendCompletions.queue().completeRequest(1, 1, 0, 0, 0);
      }
      postAndWork(send(1), send(2));
      assertThat(end.life.state()).isEqualTo(QpState.ERR);
      assertThat(end.route.take()).hasSize(1);
    }

    @Test
    void fetchesAndFailuresAreRecorded() {
      postAndWork(send(1), new Wqe(WqeOpcode.UMR));
      assertThat(end.chip.recorded())
          .contains("QP 0x40 fetched WQE 0 SEND", "QP 0x40 fetched WQE 1 UMR")
          .anyMatch(line -> line.startsWith("QP 0x40 failed at WQE 1\n"));
    }

    @Test
    void aResetRequesterStartsItsNextMessageAnew() {
      end.route.room(1);
      postAndWork(send(8 * MTU));
      requester.reset();
      end.sends.queue().passTo(1);
      end.route.room(9);
      end.route.take();
      postAndWork(send(1));
      assertThat(end.route.texts()).containsExactly("SEND_ONLY PSN 1004+1, 1 bytes");
    }

    @Test
    void partlySentAndPostedRequestsAreFlushed() {
      end.route.room(1);
      postAndWork(send(8 * MTU), send(1));
      requester.flushOutstanding("the reason");
      assertThat(requester.flushPosted("the reason", 9)).isEqualTo(1);
      assertThat(end.sendsCompleted())
          .containsExactly(
              "REQ_ERR 0 SEND: WR_FLUSH_ERR 0xf9, the reason",
              "REQ_ERR 1 SEND: WR_FLUSH_ERR 0xf9, the reason");
      end.route.room(9);
      end.route.take();
      postAndWork(send(3));
      assertThat(end.route.texts()).containsExactly("SEND_ONLY PSN 1004+1, 3 bytes");
    }
  }

  /** Of datagrams. */
  @Nested
  class UdTest {
    private final LoneEnd end = new LoneEnd(ServiceType.UD);
    private final LoneMemory local =
        end.chip.memory(1 << 12, MemoryKey.LOCAL_READ).count(0, 1 << 12);
    private final Fault fault = new Fault();
    private final UdSender sender = new UdSender(end.both(), fault, end.drops);
    private final UnreliableRequester requester = requester(end, sender, fault);

    UdTest() {
      end.connect();
      requester.start(end.qpc, 0);
      requester.configure(end.qpc);
    }

    private Wqe datagram(Gid destination, int gidIndex) {
      return Wqe.datagram(WqeOpcode.SEND, 0x60, 0x22222222, gidIndex, destination);
    }

    private Wqe datagram(int bytes) {
      return datagram(LoneEnd.REMOTE, Addresses.LINK_LOCAL)
          .data(local.address(0), bytes, local.key());
    }

    private int postAndWork(Wqe... wqes) {
      end.sends.post(wqes);
      return requester.work();
    }

    @Test
    void aDatagramGoesWhereItsAddressVectorSays() {
      assertThat(postAndWork(datagram(5))).isEqualTo(1);
      Sent sent = end.route.take().getFirst();
      assertThat(sent).hasToString("SEND_ONLY PSN 1000+1, 5 bytes");
      assertThat(sent.data()).containsExactly(1, 2, 3, 4, 5);
      Packet headers = sent.headers();
      assertThat(headers.opcode).isEqualTo(0x64);
      assertThat(headers.sourceQpn).isEqualTo(LoneEnd.QPN);
      assertThat(headers.destinationQpn).isEqualTo(0x60);
      assertThat(headers.qkey).isEqualTo(0x22222222);
      assertThat(headers.sourceGidHigh).isEqualTo(LoneEnd.LOCAL.high());
      assertThat(headers.sourceGidLow).isEqualTo(LoneEnd.LOCAL.low());
      assertThat(headers.destinationGidHigh).isEqualTo(LoneEnd.REMOTE.high());
      assertThat(headers.destinationGidLow).isEqualTo(LoneEnd.REMOTE.low());
      assertThat(headers.trafficClass).isEqualTo(0x6a);
      assertThat(headers.hopLimit).isEqualTo(63);
      assertThat(headers.flowLabel).isEqualTo(0x12345);
      assertThat(end.sendsCompleted()).containsExactly("REQ 0 SEND, 0 bytes");
      assertThat(requester.nextPsn()).isEqualTo(1001);
    }

    @Test
    void anImmediateTravelsAlong() {
      postAndWork(
          Wqe.datagram(WqeOpcode.SEND_IMM, 0x60, 0, 1, LoneEnd.REMOTE)
              .immediate(7)
              .control(ControlSegment.SOLICITED));
      Sent sent = end.route.take().getFirst();
      assertThat(sent).hasToString("SEND_ONLY_IMMEDIATE PSN 1000+1, 0 bytes, solicited");
      assertThat(sent.headers().immediate).isEqualTo(7);
    }

    @Test
    void aQkeyWithTheHighestBitStandsForTheQueuePairsOwn() {
      postAndWork(
          Wqe.datagram(WqeOpcode.SEND, 0x60, AddressVector.OWN_QKEY | 5, 1, LoneEnd.REMOTE));
      assertThat(end.route.take().getFirst().headers().qkey).isEqualTo(0x11111111);
    }

    @Test
    void theRouteIsOpenedOnceForATrainToOneDestination() {
      Gid other = new Gid(LoneEnd.REMOTE.high(), 99);
      Gid network = new Gid(LoneEnd.REMOTE.high() + 1, 99);
      postAndWork(datagram(1), datagram(1), datagram(other, 1), datagram(network, 1));
      assertThat(end.route.opened())
          .hasToString("[%s, %s, %s]".formatted(LoneEnd.REMOTE, other, network));
    }

    @Test
    void aDatagramMayFillTheMtuAndNoMore() {
      postAndWork(datagram(256), datagram(257));
      assertThat(end.route.texts()).containsExactly("SEND_ONLY PSN 1000+1, 256 bytes");
      assertThat(end.sendsCompleted().get(1))
          .startsWith("REQ_ERR 2 SEND: LOCAL_LENGTH_ERR 0x00")
          .endsWith("adds up to 257, more than the 256 bytes of a datagram (mtu)");
      assertThat(end.life.state()).isEqualTo(QpState.SQER);
    }

    @Test
    void packetsThatTheRouteRefusesAreSentWhenItHasRoom() {
      end.route.room(0);
      assertThat(postAndWork(datagram(1))).isZero();
      assertThat(end.sendsCompleted()).isEmpty();
      end.route.room(1);
      assertThat(requester.work()).isEqualTo(1);
      assertThat(end.route.texts()).containsExactly("SEND_ONLY PSN 1000+1, 1 bytes");
    }

    @Test
    void aDatagramWithoutARouteIsCompleteAndDropped() {
      end.route.leadNowhere();
      postAndWork(datagram(1));
      assertThat(end.sendsCompleted()).hasSize(1);
      assertThat(end.chip.explained())
          .containsExactly(
              "QP 0x40, message 1 was silently dropped: no port of this device reaches the"
                  + " destination GID fe80:0000:0000:0000:00be:11ff:fe00:0002 (rgid)");
      assertThat(requester.nextPsn()).isEqualTo(1001);
    }

    @ParameterizedTest
    @ValueSource(ints = {Addresses.LINK_LOCAL, Addresses.IPV4})
    void gidsOfDifferentFamiliesDontReachEachOther(int gidIndex) {
      Gid destination = gidIndex == Addresses.IPV4 ? LoneEnd.REMOTE : Gid.ofIpv4(0x0a000002);
      postAndWork(datagram(destination, gidIndex));
      assertThat(end.sendsCompleted()).hasSize(1);
      assertThat(end.route.take()).isEmpty();
      assertThat(end.chip.explained())
          .containsExactly(
              "QP 0x40, message 1 was silently dropped: the source GID (src_addr_index of its address vector) and the destination GID %s are not both IPv4 or both IPv6"
                  .formatted(Gids.text(destination)));
      assertThat(requester.nextPsn()).isEqualTo(1001);
    }

    @Test
    void gidsOfDifferentFamiliesReachEachOtherOverRoceV1() {
      postAndWork(datagram(Gid.ofIpv4(0x0a000002), 0));
      assertThat(end.route.take()).hasSize(1);
    }

    @Test
    void ipv4ReachesIpv4() {
      postAndWork(datagram(Gid.ofIpv4(0x0a000002), Addresses.IPV4));
      assertThat(end.route.take()).hasSize(1);
    }

    @Test
    void anEmptyEntryOfTheGidTableEndsSending() {
      postAndWork(datagram(LoneEnd.REMOTE, 5));
      assertThat(end.sendsCompleted().getFirst())
          .startsWith("REQ_ERR 0 SEND: LOCAL_QP_OP_ERR 0x00")
          .endsWith("src_addr_index 5 of the address vector names an empty entry of the GID table");
      assertThat(end.route.take()).isEmpty();
    }

    @Test
    void aShortAddressVectorEndsSending() {
      postAndWork(
          new Wqe(WqeOpcode.SEND)
              .words(AddressVector.keyWord(1), 0x60L << 32)
              .words(0, 0)
              .words(LoneEnd.REMOTE.high(), LoneEnd.REMOTE.low()));
      assertThat(end.sendsCompleted().getFirst())
          .endsWith(
              "ext (bit 31 of dqp_dct) is 0, which means an address vector of 16 bytes, but RoCE"
                  + " needs all 48");
      assertThat(end.route.take()).isEmpty();
    }

    @Test
    void aKeyThatRefusesEndsSending() {
      postAndWork(datagram(LoneEnd.REMOTE, Addresses.LINK_LOCAL).data(0x1000, 8, 0xbad00));
      assertThat(end.sendsCompleted().getFirst()).startsWith("REQ_ERR 0 SEND: LOCAL_PROT_ERR 0x51");
    }

    @Test
    void aDropOnTheWayIsCounted() {
      requester.noteDrop(0, "why");
      assertThat(end.drops.count()).isEqualTo(1);
    }
  }
}
