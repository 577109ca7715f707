package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.command.DctCommands.Dctc;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.InfiniBandWay;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawDct;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPool;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Dynamic connections over InfiniBand, of a port with four LIDs. */
class InfiniBandDynamicTest {
  private static final long TIMEOUT = 4096 << 3;

  private final Rig rig = Rigs.openInfiniBand(options -> options.withLmc(2));
  private final RawMemory source = rig.memory(4096).fill(1);
  private final RawMemory target = rig.memory(4096);
  private final int lid = rig.nic().queryPort(1).lid();
  private final Gid gid = rig.nic().queryGid(1, 0);
  private final InfiniBandWay way = InfiniBandWay.to(lid);
  private final RawPool pool = new RawPool(rig, false, 4);
  private final RawDct dct = new RawDct(rig, rig.cq(6), pool);
  private final RawQp initiator = initiator();

  @AfterEach
  void close() {
    target.expectCanaries();
    rig.close();
  }

  private RawQp initiator() {
    RawQp qp = rig.qp(new RawQpPlan(rig.cq(8)).initiator().sizes(6, 0, 4));
    qp.connect(0, new Settings().retryCount(1).timeout(3).mtu(3));
    return qp;
  }

  private Wqe write(Wqe begun) {
    return begun.remote(target.address(0), target.key()).data(source, 0, 3000);
  }

  private RawCqe post(Wqe wqe) {
    initiator.post(wqe);
    rig.settle();
    rig.pass(TIMEOUT);
    rig.pass(TIMEOUT);
    return initiator.sends().pollOne();
  }

  private void expectArrived() {
    assertThat(target.bytes(0, 3000)).isEqualTo(source.bytes(0, 3000));
    target.segment().fill((byte) 0);
  }

  @Test
  void allFormsOfAddressVectorsReachTheTarget() {
    int number = dct.number();
    post(write(way.request(WqeOpcode.RDMA_WRITE, RawDct.KEY, number))).require(CqeOpcode.REQ, 0);
    expectArrived();
    post(write(way.staleRequest(WqeOpcode.RDMA_WRITE, RawDct.KEY, number)))
        .require(CqeOpcode.REQ, 2);
    expectArrived();
    post(write(way.compactRequest(WqeOpcode.RDMA_WRITE, RawDct.KEY, number)))
        .require(CqeOpcode.REQ, 4);
    expectArrived();
    post(write(way.by(gid).request(WqeOpcode.RDMA_WRITE, RawDct.KEY, number)))
        .require(CqeOpcode.REQ, 5);
    expectArrived();
  }

  @Test
  void severalWritesByCompactAddressVectorsArrive() {
    for (int i = 0; i < 10; i++) {
      initiator.post(
          way.compactRequest(WqeOpcode.RDMA_WRITE, RawDct.KEY, dct.number())
              .remote(target.address(8L * i), target.key())
              .data(source, 8L * i, 8));
    }
    rig.settle();
    assertThat(initiator.sends().poll(10)).noneMatch(RawCqe::isError);
    assertThat(target.bytes(0, 80)).isEqualTo(source.bytes(0, 80));
  }

  @ParameterizedTest
  @CsvSource({"false, 0, 0", "false, 3, 1", "true, 0, 0", "true, 1, 3"})
  void aMessageNamesItsSender(boolean global, int toBits, int fromBits) {
    pool.write(0, 1, target.address(0), 4096, target.key());
    pool.post(1);
    InfiniBandWay used = InfiniBandWay.to(lid | toBits).from(fromBits).level(7);
    post((global ? used.by(gid) : used)
            .request(WqeOpcode.SEND, RawDct.KEY, dct.number())
            .data(source, 0, 8))
        .require(CqeOpcode.REQ, 0);
    RawCqe received = dct.cq().pollOne().require(CqeOpcode.RESP_SEND, 0);
    assertThat(received.sourceLid()).isEqualTo(lid | fromBits);
    assertThat(received.pathBits()).isEqualTo(toBits);
    assertThat(received.remoteQpn()).isEqualTo(initiator.number());
    assertThat(Cqe.serviceLevel(received.flags())).isEqualTo(7);
    assertThat(Cqe.hasHeader(received.flags())).isFalse();
  }

  @Test
  void theWayOfAnInitiatorMayChangeFromRequestToRequest() {
    for (int bits = 0; bits < 4; bits++) {
      InfiniBandWay used = InfiniBandWay.to(lid | bits).from(3 - bits).level(bits);
      post(write(used.request(WqeOpcode.RDMA_WRITE, RawDct.KEY, dct.number())))
          .require(CqeOpcode.REQ, 2 * bits);
      expectArrived();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 0x1234})
  void aForeignLidIsNotAnswered(int foreign) {
    RawCqe cqe =
        post(
            write(
                InfiniBandWay.to(foreign).request(WqeOpcode.RDMA_WRITE, RawDct.KEY, dct.number())));
    cqe.requireError(Syndrome.TRANSPORT_RETRY_EXC_ERR, 0, "destination LID", "(rlid");
    assertThat(cqe.vendorSyndrome()).isEqualTo(0x81);
  }

  @Test
  void aGlobalRouteToAnotherGidIsNotAnswered() {
    Gid other = new Gid(gid.high(), gid.low() + 1);
    post(write(way.by(other).request(WqeOpcode.RDMA_WRITE, RawDct.KEY, dct.number())))
        .requireError(
            Syndrome.TRANSPORT_RETRY_EXC_ERR, 0, "is at GID %s (my_addr_index)".formatted(gid));
  }

  @Test
  void anEmptyEntryOfTheGidTableIsRefused() {
    post(write(way.by(gid).source(2).request(WqeOpcode.RDMA_WRITE, RawDct.KEY, dct.number())))
        .requireError(Syndrome.LOCAL_QP_OP_ERR, 0, "src_addr_index 2 names an empty entry");
  }

  @Test
  void theQueriedContextIsThatOfTheCreatedTarget() {
    RawDct made =
        new RawDct(
            rig,
            rig.cq(4),
            pool,
            context -> context.set(Dctc.PKEY_INDEX, 127).set(Dctc.MY_ADDR_INDEX, 0));
    View context = made.query();
    assertThat(context.getInt(Dctc.PKEY_INDEX)).isEqualTo(127);
    assertThat(context.getInt(Dctc.HOP_LIMIT)).isEqualTo(64);
  }
}
