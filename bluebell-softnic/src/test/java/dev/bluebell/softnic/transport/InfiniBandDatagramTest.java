package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.AddressVector;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.InfiniBandWay;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Datagrams over InfiniBand, of a port with four LIDs. */
class InfiniBandDatagramTest {
  private static final int QKEY = 0x11111111;
  private static final byte SENTINEL = 0x5a;

  /** How an address vector is written. */
  private enum Form {
    WHOLE,
    STALE,
    COMPACT,
    GLOBAL
  }

  private final Rig rig = Rigs.openInfiniBand(options -> options.withLmc(2));
  private final RawMemory source = rig.memory(4096).fill(1);
  private final RawMemory target = rig.memory(1 << 13);
  private final int lid = rig.nic().queryPort(1).lid();
  private final Gid gid = rig.nic().queryGid(1, 0);
  private final InfiniBandWay way = InfiniBandWay.to(lid);
  private final RawQp receiver = datagrams();
  private final RawQp sender = datagrams();

  @AfterEach
  void close() {
    target.expectCanaries();
    rig.close();
  }

  private RawQp datagrams() {
    RawQp qp = rig.qp(new RawQpPlan(rig.cq(6)).service(ServiceType.UD.code()));
    qp.connect(0, new Settings().qkey(QKEY));
    return qp;
  }

  private void receive() {
    target.segment().fill(SENTINEL);
    receiver.receive(target.address(0), 1 << 13, target.key());
  }

  private Wqe request(Form form, InfiniBandWay to) {
    return request(form, to, QKEY);
  }

  private Wqe request(Form form, InfiniBandWay to, int qkey) {
    long key = AddressVector.keyWord(qkey);
    int number = receiver.number();
    return switch (form) {
      case WHOLE -> to.request(WqeOpcode.SEND, key, number);
      case STALE -> to.staleRequest(WqeOpcode.SEND, key, number);
      case COMPACT -> to.compactRequest(WqeOpcode.SEND, key, number);
      case GLOBAL -> to.by(gid).request(WqeOpcode.SEND, key, number);
    };
  }

  private RawCqe send(Wqe wqe) {
    sender.post(wqe);
    rig.settle();
    return sender.sends().pollOne();
  }

  @ParameterizedTest
  @EnumSource(names = {"WHOLE", "STALE", "COMPACT"})
  void withoutAGlobalRouteTheFirst40BytesStayAsTheyAre(Form form) {
    receive();
    send(request(form, way.level(6).from(1)).data(source, 0, 100)).require(CqeOpcode.REQ, 0);
    RawCqe received = receiver.receives().pollOne().require(CqeOpcode.RESP_SEND, 0);
    assertThat(received.byteCount()).isEqualTo(140);
    assertThat(Cqe.hasHeader(received.flags())).isFalse();
    assertThat(Cqe.serviceLevel(received.flags())).isEqualTo(6);
    assertThat(received.sourceLid()).isEqualTo(lid | 1);
    assertThat(received.pathBits()).isZero();
    assertThat(received.remoteQpn()).isEqualTo(sender.number());
    assertThat(received.immediate()).as("its partition key").isEqualTo(0xffff);
    assertThat(target.bytes(0, 40)).containsOnly(SENTINEL);
    assertThat(target.bytes(40, 100)).isEqualTo(source.bytes(0, 100));
    assertThat(target.bytes(140, 10)).containsOnly(SENTINEL);
  }

  @Test
  void theNextDatagramWithAGlobalRouteHasItsHeaderAgain() {
    receive();
    send(request(Form.WHOLE, way).data(source, 0, 8));
    receiver.receives().pollOne();
    receive();
    send(request(Form.GLOBAL, way.level(2)).data(source, 0, 8)).require(CqeOpcode.REQ, 2);
    RawCqe received = receiver.receives().pollOne().require(CqeOpcode.RESP_SEND, 1);
    assertThat(received.byteCount()).isEqualTo(48);
    assertThat(Cqe.hasHeader(received.flags())).isTrue();
    assertThat(Cqe.serviceLevel(received.flags())).isEqualTo(2);
    // Version, traffic class and flow label; BTH, DETH, payload and ICRC; IBA; the hop limit.
    assertThat(HexFormat.of().formatHex(target.bytes(0, 8))).isEqualTo("66a1234500201b3f");
    assertThat(target.bytes(8, 16)).isEqualTo(gid.bytes());
    assertThat(target.bytes(24, 16)).isEqualTo(gid.bytes());
    assertThat(target.bytes(40, 8)).isEqualTo(source.bytes(0, 8));
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 2", "3, 3"})
  void allLidsOfAPortReachThePort(int toBits, int fromBits) {
    receive();
    send(request(Form.WHOLE, InfiniBandWay.to(lid | toBits).from(fromBits)).data(source, 0, 8));
    RawCqe received = receiver.receives().pollOne().require(CqeOpcode.RESP_SEND, 0);
    assertThat(received.sourceLid()).isEqualTo(lid | fromBits);
    assertThat(received.pathBits()).isEqualTo(toBits);
  }

  @ParameterizedTest
  @CsvSource({
    "0, its path has no destination LID (rlid is 0)",
    "7, no port of this subnet has the destination LID 0x7 (rlid); this port's is 0x8",
    "12, no port of this subnet has the destination LID 0xc (rlid); this port's is 0x8",
    "65535, no port of this subnet has the destination LID 0xffff (rlid); this port's is 0x8"
  })
  void aDatagramToAForeignLidIsCompleteAndArrivesNowhere(int foreign, String why) {
    receive();
    send(request(Form.WHOLE, InfiniBandWay.to(foreign)).data(source, 0, 8))
        .require(CqeOpcode.REQ, 0);
    assertThat(receiver.receives().peek()).isEmpty();
    assertThat(rig.explanation()).contains(why);
  }

  @Test
  void anEmptyEntryOfTheGidTableEndsSending() {
    send(way.by(gid).source(3).request(WqeOpcode.SEND, QKEY, receiver.number()))
        .requireError(
            Syndrome.LOCAL_QP_OP_ERR,
            0,
            "the address vector has a global route (bit 30 of grh_gid_fl), and its src_addr_index 3"
                + " names an empty entry of the GID table");
  }

  @Test
  void aCompactAddressVectorAloneIsADatagramWithoutPayload() {
    receive();
    send(request(Form.COMPACT, way)).require(CqeOpcode.REQ, 0);
    assertThat(receiver.receives().pollOne().byteCount()).isEqualTo(40);
  }

  @Test
  void aWqeWithoutAnAddressVectorIsRefused() {
    send(new Wqe(WqeOpcode.SEND))
        .requireError(Syndrome.LOCAL_QP_OP_ERR, 0, "ds 1 is too small for opcode SEND");
  }

  @Test
  void payloadInlineMayFollowACompactAddressVector() {
    receive();
    send(request(Form.COMPACT, way).inline(new byte[] {1, 2, 3})).require(CqeOpcode.REQ, 0);
    assertThat(receiver.receives().pollOne().byteCount()).isEqualTo(43);
    assertThat(target.bytes(40, 4)).containsExactly(1, 2, 3, SENTINEL);
  }

  @Test
  void anotherQueueKeyIsDroppedAndTheHighestBitMeansTheSendersOwn() {
    receive();
    send(request(Form.WHOLE, way, 0x22222222).data(source, 0, 8)).require(CqeOpcode.REQ, 0);
    assertThat(receiver.receives().peek()).isEmpty();
    send(request(Form.COMPACT, way, 0x80000001).data(source, 0, 8));
    receiver.receives().pollOne().require(CqeOpcode.RESP_SEND, 0);
  }
}
