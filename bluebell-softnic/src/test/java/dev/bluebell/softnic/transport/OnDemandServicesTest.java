package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.Addresses;
import dev.bluebell.softnic.rig.OtherProcess;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawDct;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawPool;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.RawXrcSrq;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Memory of other processes, which the device requests from them at each access, for each service.
 */
class OnDemandServicesTest {
  private static final long BASE = OtherProcess.BASE;

  private final Rig rig = Rigs.open();
  private final OtherProcess here = new OtherProcess(rig, 256);
  private final OtherProcess there = new OtherProcess(rig, 256);
  private final int own = here.register(HcaAccess.ALL).lkey();
  private final int key = there.register(HcaAccess.ALL).lkey();

  OnDemandServicesTest() {
    byte[] bytes = new byte[64];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (i + 1);
    }
    here.put(0, bytes);
  }

  @AfterEach
  void close() {
    rig.close();
  }

  private enum Service {
    RC,
    RC_WITH_POOL,
    XRC,
    DC
  }

  /** A queue pair that sends, with a receiver into the memory of the other process. */
  private interface Sender {
    Wqe request(int opcode);

    RawQp qp();
  }

  private record Plain(RawQp qp) implements Sender {
    @Override
    public Wqe request(int opcode) {
      return new Wqe(opcode);
    }
  }

  private record Extended(RawQp qp, int srqn) implements Sender {
    @Override
    public Wqe request(int opcode) {
      return new Wqe(opcode).xrc(srqn);
    }
  }

  private record Dynamic(RawQp qp, RawDct target) implements Sender {
    @Override
    public Wqe request(int opcode) {
      return Wqe.dynamic(opcode, target);
    }
  }

  private Sender sender(Service service) {
    return switch (service) {
      case RC -> {
        RawPair pair = rig.pair();
        pair.right().receive(BASE, 64, key);
        yield new Plain(pair.left());
      }
      case RC_WITH_POOL -> {
        RawQp receiver = rig.qp(new RawQpPlan(rig.cq(4)).pool(pool()));
        yield new Plain(RawPair.connect(rig.qp(rig.cq(4)), receiver, new Settings()).left());
      }
      case XRC -> {
        HcaObject xrcd = RawXrcSrq.domain(rig);
        RawXrcSrq srq = new RawXrcSrq(rig, xrcd);
        srq.receive(BASE, 64, key);
        RawQp initiator = RawXrcSrq.initiator(rig);
        RawPair.connect(initiator, RawXrcSrq.target(rig, xrcd), new Settings());
        yield new Extended(initiator, srq.number());
      }
      case DC -> {
        RawDct target = new RawDct(rig, rig.cq(4), pool());
        RawQp initiator = rig.qp(new RawQpPlan(rig.cq(4)).initiator().sizes(6, 0, 4));
        initiator.connect(0, new Settings().mtu(3));
        yield new Dynamic(initiator, target);
      }
    };
  }

  /** A pool with a receive of 64 bytes at the start of the other process. */
  private RawPool pool() {
    RawPool pool = new RawPool(rig, false, 2);
    pool.write(0, 0, BASE, 64, key);
    pool.post(1);
    return pool;
  }

  private void run(Sender sender, Wqe wqe) {
    sender.qp().post(wqe);
    rig.settle();
    RawCqe done = sender.qp().sends().pollOne();
    assertThat(done.isError()).as(done.explanation()).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void everyOperationReachesTheMemoryOfOtherProcesses(Service service) {
    Sender sender = sender(service);
    run(sender, sender.request(WqeOpcode.SEND).data(BASE, 32, own));
    assertThat(there.bytes(0, 32)).isEqualTo(here.bytes(0, 32));
    run(sender, sender.request(WqeOpcode.RDMA_WRITE).remote(BASE + 64, key).data(BASE, 64, own));
    assertThat(there.bytes(64, 64)).isEqualTo(here.bytes(0, 64));
    run(
        sender,
        sender.request(WqeOpcode.RDMA_READ).remote(BASE + 64, key).data(BASE + 128, 64, own));
    assertThat(here.bytes(128, 64)).isEqualTo(here.bytes(0, 64));
    there.memory().set(ValueLayout.JAVA_LONG, 128, 41);
    run(
        sender,
        sender
            .request(WqeOpcode.ATOMIC_FA)
            .remote(BASE + 128, key)
            .words(1, 0)
            .data(BASE + 192, 8, own));
    assertThat(there.memory().get(ValueLayout.JAVA_LONG, 128)).isEqualTo(42);
    assertThat(here.memory().get(ValueLayout.JAVA_LONG, 192)).isEqualTo(41);
  }

  @Test
  void aDatagramLeavesOneProcessAndLandsInAnother() {
    RawQp receiver = rig.qp(new RawQpPlan(rig.cq(4)).service(Datagrams.UD).pool(pool()));
    receiver.connect(0, new Settings());
    RawQp sender = rig.qp(new RawQpPlan(rig.cq(4)).service(Datagrams.UD));
    sender.connect(0, new Settings());
    run(
        new Plain(sender),
        Wqe.datagram(
                WqeOpcode.SEND,
                receiver.number(),
                Datagrams.QKEY,
                Addresses.LINK_LOCAL,
                Addresses.gid(Addresses.LINK_LOCAL))
            .data(BASE, 16, own));
    assertThat(receiver.receives().poll()).hasSize(1);
    assertThat(there.bytes(40, 16)).isEqualTo(here.bytes(0, 16));
  }
}
