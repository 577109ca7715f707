package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.DctCommands.Dctc;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.Addresses;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawDct;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawPool;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Addressing of packets: Ethernet addresses, and the two versions of RoCE. */
class AddressingTest {
  private static final int V1_LINK_LOCAL = 0;
  private static final int V1_IPV4 = 2;
  private static final long TIMEOUT = 4096 << 3;

  private final Rig rig = Rigs.open();
  private final RawMemory source = rig.memory(4096).fill(1);
  private final RawMemory target = rig.memory(4096);

  @AfterEach
  void close() {
    rig.close();
  }

  private static Settings hasty() {
    return new Settings().retryCount(1).timeout(3);
  }

  private RawPair pair(Settings left, Settings right) {
    RawPair pair = new RawPair(rig.qp(rig.cq(6)), rig.qp(rig.cq(6)));
    pair.left().connect(pair.right().number(), left);
    pair.right().connect(pair.left().number(), right);
    return pair;
  }

  private RawCqe write(RawPair pair) {
    pair.left().post(Wqe.write(target, 0).data(source, 0, 8));
    rig.settle();
    rig.pass(TIMEOUT);
    rig.pass(TIMEOUT);
    return pair.left().sends().pollOne();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 0x02_be_11_00_00_02L})
  void aRequestToAnotherMacDoesNotArrive(long mac) {
    RawCqe cqe = write(pair(hasty().mac(mac), hasty()));
    cqe.requireError(
        Syndrome.TRANSPORT_RETRY_EXC_ERR, 0, "destination MAC %012x (rmac".formatted(mac));
    assertThat(cqe.vendorSyndrome()).isEqualTo(0x81);
    assertThat(target.bytes(0, 8)).containsOnly(0);
  }

  @Test
  void anAnswerToAnotherMacDoesNotArriveEither() {
    write(pair(hasty(), hasty().mac(0))).requireError(Syndrome.TRANSPORT_RETRY_EXC_ERR, 0);
    assertThat(target.bytes(0, 8)).isEqualTo(source.bytes(0, 8));
  }

  @Test
  void anAnswerFromAnotherGidDoesNotArriveEither() {
    Settings toIpv4 = hasty().remote(Addresses.gid(Addresses.IPV4));
    write(pair(toIpv4.source(Addresses.IPV4), hasty().remote(Addresses.gid(Addresses.IPV4))))
        .requireError(Syndrome.TRANSPORT_RETRY_EXC_ERR, 0);
    assertThat(target.bytes(0, 8)).isEqualTo(source.bytes(0, 8));
  }

  @Test
  void twoEndsOfRoceV1ReachEachOther() {
    Settings first = hasty().source(V1_LINK_LOCAL);
    write(pair(first, first)).require(CqeOpcode.REQ, 0);
    assertThat(target.bytes(0, 8)).isEqualTo(source.bytes(0, 8));
  }

  @Test
  void endsOfRoceV1AndV2DoNotReachEachOther() {
    write(pair(hasty().source(V1_LINK_LOCAL), hasty()))
        .requireError(
            Syndrome.TRANSPORT_RETRY_EXC_ERR, 0, "uses RoCE v2", "came by RoCE v1", "GID table");
    assertThat(target.bytes(0, 8)).containsOnly(0);
  }

  private RawQp datagrams() {
    RawQp qp = rig.qp(new RawQpPlan(rig.cq(6)).service(ServiceType.UD.code()));
    qp.connect(0, new Settings());
    return qp;
  }

  @ParameterizedTest
  @ValueSource(ints = {V1_LINK_LOCAL, V1_IPV4})
  void aDatagramOfRoceV1HasAGlobalRouteHeaderAndNoUdp(int index) {
    RawQp receiver = datagrams();
    receiver.receive(target.address(0), 4096, target.key());
    datagrams().post(Wqe.datagram(receiver, index).data(source, 0, 8));
    rig.settle();
    RawCqe cqe = receiver.receives().pollOne().require(CqeOpcode.RESP_SEND, 0);
    assertThat(Cqe.hasHeader(cqe.flags())).isTrue();
    assertThat(Cqe.SL.getInt(cqe.flags())).isZero();
    // BTH, DETH, the payload and the ICRC: 32 bytes; IBA's next header; the hop limit.
    assertThat(HexFormat.of().formatHex(target.bytes(0, 8))).isEqualTo("66a1234500201b3f");
    assertThat(target.bytes(8, 16)).isEqualTo(Addresses.gid(index).bytes());
  }

  @Test
  void aDatagramToAnotherMacIsDropped() {
    RawQp receiver = datagrams();
    receiver.receive(target.address(0), 4096, target.key());
    RawQp sender = datagrams();
    sender.post(
        Wqe.datagramToMac(0x0102_0304_0506L, receiver.number(), Addresses.gid(Addresses.LINK_LOCAL))
            .data(source, 0, 8));
    rig.settle();
    sender.sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(receiver.receives().peek()).isEmpty();
    assertThat(rig.explanation()).contains("destination MAC 010203040506 (rmac");
  }

  @Test
  void anInitiatorOfRoceV2DoesNotReachATargetOfV1() {
    RawPool pool = new RawPool(rig, false, 4);
    RawDct dct = new RawDct(rig, rig.cq(4), pool, c -> c.set(Dctc.MY_ADDR_INDEX, V1_LINK_LOCAL));
    RawQp initiator = rig.qp(new RawQpPlan(rig.cq(8)).initiator().sizes(6, 0, 4));
    initiator.connect(0, hasty().mtu(3));
    initiator.post(
        Wqe.dynamic(WqeOpcode.RDMA_WRITE, dct)
            .remote(target.address(0), target.key())
            .data(source, 0, 8));
    rig.settle();
    rig.pass(TIMEOUT);
    rig.pass(TIMEOUT);
    initiator
        .sends()
        .pollOne()
        .requireError(Syndrome.TRANSPORT_RETRY_EXC_ERR, 0, "uses RoCE v1 (my_addr_index)");
  }
}
