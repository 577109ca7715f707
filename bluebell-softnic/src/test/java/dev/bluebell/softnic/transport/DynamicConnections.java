package dev.bluebell.softnic.transport;

import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawDct;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPool;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import org.junit.jupiter.api.AfterEach;

/** A DC initiator and a DC target of one device, with memory to send from and to receive into. */
abstract class DynamicConnections {
  static final int DCI = 5;

  /** Path MTU 1024, as the targets have it. */
  static final int MTU_CODE = 3;

  final Rig rig;
  final RawMemory source;
  final RawMemory memory;
  final RawPool pool;
  final RawDct target;
  final RawQp initiator;
  private int receives;

  DynamicConnections() {
    this(Rigs.open());
  }

  DynamicConnections(Rig opened) {
    rig = opened;
    source = rig.memory(1 << 16).fill(1);
    memory = rig.memory(1 << 16);
    pool = new RawPool(rig, false, 8);
    target = new RawDct(rig, rig.cq(8), pool);
    initiator = initiator(settings());
  }

  @AfterEach
  void close() {
    source.expectCanaries();
    memory.expectCanaries();
    pool.expectCanaries();
    rig.close();
  }

  static Settings settings() {
    return new Settings().mtu(MTU_CODE);
  }

  static RawQpPlan plan(Rig rig) {
    return new RawQpPlan(rig.cq(8)).initiator().sizes(6, 0, 4);
  }

  /** Another initiator, ready to send. */
  final RawQp initiator(Settings settings) {
    return ready(plan(rig), settings);
  }

  final RawQp ready(RawQpPlan plan, Settings settings) {
    RawQp qp = rig.qp(plan);
    qp.connect(0, settings);
    return qp;
  }

  /** Posts receives of so many bytes, one behind the other, at the start of the memory. */
  final void receive(int count, int bytes) {
    for (int i = 0; i < count; i++) {
      int offset = receives * bytes % (1 << 15);
      pool.write(receives & 0xff, 0, memory.address(offset), bytes, memory.key());
      receives++;
    }
    pool.post(count);
  }

  /** A SEND of the first bytes of the source. */
  final Wqe send(RawDct to, int bytes) {
    return Wqe.dynamic(WqeOpcode.SEND, to).data(source, 0, bytes);
  }

  /** An RDMA WRITE of the first bytes of the source, to an offset of the memory. */
  final Wqe write(RawDct to, long offset, int bytes) {
    return Wqe.dynamic(WqeOpcode.RDMA_WRITE, to)
        .remote(memory.address(offset), memory.key())
        .data(source, 0, bytes);
  }
}
