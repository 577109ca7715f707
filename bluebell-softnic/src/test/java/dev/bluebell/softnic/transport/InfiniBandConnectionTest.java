package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.QpCommands.Ads;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.InfiniBandWay;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.RawXrcSrq;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections over InfiniBand: of a port with four LIDs. */
class InfiniBandConnectionTest {
  private static final long TIMEOUT = 4096 << 3;
  private static final int BYTES = 5000;

  private final Rig rig = Rigs.openInfiniBand(options -> options.withLmc(2));
  private final RawMemory source = rig.memory(1 << 13).fill(1);
  private final RawMemory target = rig.memory(1 << 13);
  private final int lid = rig.nic().queryPort(1).lid();
  private final Gid gid = rig.nic().queryGid(1, 0);
  private final InfiniBandWay way = InfiniBandWay.to(lid);

  @AfterEach
  void close() {
    target.expectCanaries();
    rig.close();
  }

  private static Settings hasty(InfiniBandWay way) {
    return new Settings().retryCount(1).timeout(3).way(way);
  }

  private RawPair pair(ServiceType service, InfiniBandWay left, InfiniBandWay right) {
    RawPair pair = new RawPair(make(service), make(service));
    pair.left().connect(pair.right().number(), hasty(left));
    pair.right().connect(pair.left().number(), hasty(right));
    return pair;
  }

  private RawQp make(ServiceType service) {
    return rig.qp(new RawQpPlan(rig.cq(6)).service(service.code()));
  }

  private RawCqe write(RawPair pair) {
    pair.left().post(Wqe.write(target, 0).data(source, 0, BYTES));
    settle();
    return pair.left().sends().pollOne();
  }

  private void settle() {
    rig.settle();
    rig.pass(TIMEOUT);
    rig.pass(TIMEOUT);
  }

  private void expectArrived(int bytes) {
    assertThat(target.bytes(0, bytes)).isEqualTo(source.bytes(0, bytes));
  }

  private void expectUnanswered(RawCqe cqe, String why) {
    cqe.requireError(Syndrome.TRANSPORT_RETRY_EXC_ERR, 0, why);
    assertThat(cqe.vendorSyndrome()).isEqualTo(0x81);
    assertThat(target.bytes()).containsOnly(0);
  }

  // ---- two ends that agree

  @ParameterizedTest
  @CsvSource({"RC, false", "RC, true", "UC, false", "UC, true"})
  void twoEndsReachEachOtherByLidAndByGlobalRoute(ServiceType service, boolean global) {
    InfiniBandWay used = (global ? way.by(gid) : way).level(5);
    RawPair pair = pair(service, used, used);
    write(pair).require(CqeOpcode.REQ, 0);
    expectArrived(BYTES);
    pair.right().receive(target.address(0), 1 << 13, target.key());
    pair.left().post(Wqe.send().data(source, 0, 8));
    rig.settle();
    RawCqe received = pair.right().receives().pollOne().require(CqeOpcode.RESP_SEND, 0);
    assertThat(received.sourceLid()).isEqualTo(lid);
    assertThat(received.pathBits()).isZero();
    assertThat(received.remoteQpn()).isEqualTo(pair.left().number());
    assertThat(Cqe.serviceLevel(received.flags())).isEqualTo(5);
    assertThat(Cqe.hasHeader(received.flags())).as("a header in the buffer").isFalse();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void readsAndAtomicsAreAnswered(boolean global) {
    InfiniBandWay used = global ? way.by(gid) : way;
    RawPair pair = pair(ServiceType.RC, used, used);
    pair.left().post(Wqe.read(source, 0).data(target, 0, BYTES));
    rig.settle();
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    expectArrived(BYTES);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anXrcInitiatorReachesItsTarget(boolean global) {
    InfiniBandWay used = (global ? way.by(gid) : way).level(3);
    HcaObject xrcd = RawXrcSrq.domain(rig);
    RawXrcSrq srq = new RawXrcSrq(rig, xrcd);
    RawPair pair =
        RawPair.connect(
            RawXrcSrq.initiator(rig), RawXrcSrq.target(rig, xrcd), new Settings().way(used));
    srq.receive(target.address(0), 1 << 13, target.key());
    pair.left().post(Wqe.send().data(source, 0, BYTES).xrc(srq.number()));
    rig.settle();
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    RawCqe received = srq.cq().pollOne().require(CqeOpcode.RESP_SEND, 0);
    assertThat(received.sourceLid()).isEqualTo(lid);
    assertThat(Cqe.serviceLevel(received.flags())).isEqualTo(3);
    expectArrived(BYTES);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 0", "2, 3", "3, 1"})
  void allLidsOfAPortReachThePort(int toBits, int fromBits) {
    RawPair pair =
        pair(
            ServiceType.RC,
            InfiniBandWay.to(lid | toBits).from(fromBits),
            InfiniBandWay.to(lid | fromBits).from(toBits));
    pair.right().receive(target.address(0), 1 << 13, target.key());
    pair.left().post(Wqe.send().data(source, 0, 8));
    rig.settle();
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    RawCqe received = pair.right().receives().pollOne().require(CqeOpcode.RESP_SEND, 0);
    assertThat(received.sourceLid()).isEqualTo(lid | fromBits);
    assertThat(received.pathBits()).isEqualTo(toBits);
  }

  @Test
  void pathBitsThatThePortDoesNotHaveAreIgnored() {
    write(pair(ServiceType.RC, way.from(0x7c), way)).require(CqeOpcode.REQ, 0);
  }

  @Test
  void aMessageInACqeOf128BytesComesWithItsSender() {
    RawPair pair =
        new RawPair(
            make(ServiceType.RC),
            rig.qp(
                new RawQpPlan(RawCq.large(rig, 6))
                    .change(qpc -> qpc.set(Qpc.CS_RES, Qpc.CS_RES_64))));
    pair.left().connect(pair.right().number(), hasty(way.from(2)));
    pair.right().connect(pair.left().number(), hasty(InfiniBandWay.to(lid | 2)));
    pair.right().receive(target.address(0), 1 << 13, target.key());
    pair.left().post(Wqe.send().data(source, 0, 48));
    rig.settle();
    RawCqe received = pair.right().receives().pollOne().require(CqeOpcode.RESP_SEND, 0);
    assertThat(received.sourceLid()).isEqualTo(lid | 2);
    assertThat(received.remoteQpn()).isEqualTo(pair.left().number());
    assertThat(target.bytes()).as("the buffer").containsOnly(0);
  }

  // ---- two ends that do not

  @ParameterizedTest
  @CsvSource({"1, 0", "0, 1"})
  void pathBitsOnOneSideOnlyFailTheConnection(int fromBits, int toBits) {
    RawCqe cqe =
        write(
            pair(
                ServiceType.RC,
                InfiniBandWay.to(lid | toBits).from(fromBits),
                InfiniBandWay.to(lid)));
    cqe.requireError(
        Syndrome.TRANSPORT_RETRY_EXC_ERR,
        0,
        fromBits != 0
            ? "; its last packet was dropped: QP 0x"
            : "; answers came, but were dropped: QP 0x",
        fromBits != 0 ? "but the request came from LID" : "but the answer came from LID",
        "the path bits (mlid) of one end must be the low bits of rlid of the other");
    assertThat(cqe.vendorSyndrome()).isEqualTo(0x81);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aGlobalRouteOnOneSideOnlyFailsTheConnection(boolean left) {
    InfiniBandWay global = way.by(gid);
    RawPair pair = pair(ServiceType.RC, left ? global : way, left ? way : global);
    expectUnanswered(
        write(pair),
        left
            ? "has no global route (grh), but the request came with one: both ends must have one"
            : "has a global route (grh), but the request came without: both ends must have one");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anotherGidOfTheGlobalRouteFailsTheConnection(boolean left) {
    InfiniBandWay good = way.by(gid);
    InfiniBandWay bad = way.by(new Gid(gid.high(), gid.low() + 1));
    expectUnanswered(
        write(pair(ServiceType.RC, left ? bad : good, left ? good : bad)), "is connected to GID");
  }

  @Test
  void aLinkLocalSenderIsAcceptedWhereAnotherPrefixIsExpected() {
    InfiniBandWay routed = way.by(new Gid(0xfec0L << 48, gid.low()));
    write(pair(ServiceType.UC, way.by(gid), routed)).require(CqeOpcode.REQ, 0);
    expectArrived(BYTES);
  }

  @ParameterizedTest
  @CsvSource({
    "0, its path has no destination LID (rlid is 0)",
    "0x1234, no port of this subnet has the destination LID 0x1234 (rlid)"
  })
  void aForeignLidIsAcceptedAndReachesNoPort(String foreign, String why) {
    InfiniBandWay elsewhere = InfiniBandWay.to(Integer.decode(foreign));
    expectUnanswered(write(pair(ServiceType.RC, elsewhere, way)), why);
    RawPair unreliable = pair(ServiceType.UC, elsewhere, way);
    write(unreliable).require(CqeOpcode.REQ, 0);
    assertThat(target.bytes()).containsOnly(0);
    assertThat(rig.explanation()).contains(why);
  }

  @Test
  void afterTheFailureTheRestIsFlushed() {
    RawPair pair = pair(ServiceType.RC, InfiniBandWay.to(0), way);
    pair.left().post(Wqe.write(target, 0).data(source, 0, 8));
    pair.left().post(Wqe.write(target, 0).data(source, 0, 8));
    settle();
    var cqes = pair.left().sends().poll(2);
    cqes.get(0).requireError(Syndrome.TRANSPORT_RETRY_EXC_ERR, 0);
    cqes.get(1).requireError(Syndrome.WR_FLUSH_ERR, 1);
  }

  // ---- commands

  @Test
  void theQueriedAddressPathIsTheOneThatWasSet() {
    RawQp qp = make(ServiceType.RC);
    qp.connect(
        7, new Settings().way(new InfiniBandWay(0xbfff, 0x55, 9, true, 0, gid)).partition(127));
    View path = qp.query().at(Qpc.PRIMARY_ADDRESS_PATH);
    assertThat(path.getInt(Ads.RLID)).isEqualTo(0xbfff);
    assertThat(path.getInt(Ads.MLID)).isEqualTo(0x55);
    assertThat(path.getInt(Ads.SL)).isEqualTo(9);
    assertThat(path.isSet(Ads.GRH)).isTrue();
    assertThat(path.getInt(Ads.PKEY_INDEX)).isEqualTo(127);
    assertThat(Gid.of(path.getBytes(Ads.RGID_RIP))).isEqualTo(gid);
  }

  @Test
  void anEmptyEntryOfTheGidTableIsRefusedWithAGlobalRouteOnly() {
    RawQp qp = make(ServiceType.RC);
    assertThat(Rig.refused(() -> qp.connect(7, new Settings().way(way.by(gid).source(1)))))
        .hasMessageContaining(
            "grh is 1 and src_addr_index 1 names an empty entry of the GID table");
    make(ServiceType.RC).connect(7, new Settings().way(way.source(1)));
  }

  @ParameterizedTest
  @EnumSource(
      value = ServiceType.class,
      names = {"RC", "UC"})
  void aPathByEthernetAddressIsRefused(ServiceType service) {
    RawQp qp = make(service);
    assertThat(Rig.refused(() -> qp.connect(7, new Settings().source(0))))
        .hasMessageContaining(
            "rmac 02be11000001 names the peer by an Ethernet address, but this is an InfiniBand"
                + " port, whose peers have a LID (rlid)");
  }

  @Test
  void aPathByLidIsRefusedOnAnEthernetPort() {
    try (Rig ethernet = Rigs.open()) {
      RawQp qp = ethernet.qp(ethernet.cq(4));
      assertThat(Rig.refused(() -> qp.connect(7, new Settings().way(InfiniBandWay.to(8)))))
          .hasMessageContaining("rlid 0x8 names the peer by LID, but this is an Ethernet port");
    }
  }

  @Test
  void theDevicesOwnGidResolvesToItsLid() {
    assertThat(rig.nic().resolve(1, 0, gid).lid()).isEqualTo(lid);
    assertThat(rig.nic().resolve(1, 0, gid).mac()).isZero();
    assertThat(rig.nic().queryPort(1).mac()).isZero();
    assertThat(Rig.refused(() -> rig.nic().resolve(1, 1, gid)))
        .hasMessageContaining("entry 1 of the GID table is empty; use 0, the GID of the port");
    Gid other = new Gid(gid.high(), gid.low() + 1);
    assertThat(Rig.refused(() -> rig.nic().resolve(1, 0, other)))
        .hasMessageContaining("with the LID 0x%x and the GID %s".formatted(lid, gid));
  }

  @Test
  void theGidTableHasTheGidOfThePortAlone() {
    assertThat(gid).isEqualTo(new Gid(0xfe80L << 48, 0x00be11fffe000001L));
    for (int i = 1; i < 8; i++) {
      assertThat(rig.nic().queryGid(1, i)).isEqualTo(Gid.ZERO);
    }
  }
}
