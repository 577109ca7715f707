package dev.bluebell.softnic.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.HcaForeignMemory;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawWindow;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import dev.bluebell.softnic.wire.TwoDevices.Pair;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Packets from the network whose delivery costs much, or fails. */
@Isolated("counts the direct buffers of the process")
class ExpensiveDeliveryTest {
  private static final int UC = 1;
  private static final int BASE = 1 << 12;
  private static final int MTU = 4096;
  private static final int PACKETS = 16;
  private static final int FAILURES = 40;
  private static final long BATCH_BYTES = 1 << 20;

  private final TwoDevices devices = new TwoDevices();
  private final Memory memory = new Memory(() -> {});
  private final int key = register(devices.far, memory);
  private int atLastBeat;
  private int most;

  @AfterEach
  void close() {
    devices.close();
  }

  /** Memory of another process that counts the accesses to it, or is gone. */
  private static final class Memory implements HcaForeignMemory {
    private final Runnable reached;
    private int writes;
    private boolean gone;

    Memory(Runnable reached) {
      this.reached = reached;
    }

    @Override
    public boolean read(long address, long to, int bytes) {
      return true;
    }

    @Override
    public boolean write(long address, long from, int bytes) {
      writes++;
      reached.run();
      if (gone) {
        throw new InternalError("a page is gone");
      }
      return true;
    }
  }

  private static int register(Rig of, Memory memory) {
    return of.nic()
        .hosting()
        .orElseThrow()
        .registerMemory(of.domain(), memory, BASE, 2 << 20, BASE, HcaAccess.ALL)
        .rkey();
  }

  /** A key of the far device that takes every second byte, each a piece of its own. */
  private int interleave() {
    RawWindow interleaved = new RawWindow(devices.far);
    RawQp qp = devices.far.pair().left();
    int bytes = PACKETS * MTU;
    qp.post(interleaved.layout(bytes).repeat(1, bytes, 1).piece(2, 1, key, BASE).wqe());
    devices.settle();
    qp.sends().pollOne().require(CqeOpcode.REQ, 0);
    return interleaved.key(0);
  }

  /** Another client has a turn. */
  private void beat() {
    most = Math.max(most, memory.writes - atLastBeat);
    atLastBeat = memory.writes;
  }

  private Rig client() {
    return new Rig(
        (SoftNic) devices.far.nic().hosting().orElseThrow().openClient(), devices.far.clock());
  }

  @Test
  void aTurnDeliversFewPacketsThatAreWrittenByteByByte() {
    try (Rig victim = client()) {
      int interleaved = interleave();
      Pair pair = devices.pair();
      RawMemory source = devices.near.memory(PACKETS * MTU);
      pair.near()
          .post(
              new Wqe(WqeOpcode.RDMA_WRITE).remote(0, interleaved).data(source, 0, PACKETS * MTU));
      devices.near.settle();
      int beats = register(victim, new Memory(this::beat));
      victim
          .pair()
          .left()
          .post(new Wqe(WqeOpcode.RDMA_WRITE).remote(BASE, beats).data(BASE, 1 << 20, beats));
      devices.far.nic().step();
      assertThat(memory.writes).isGreaterThan(MTU);
      // The other client has turns without an access, too.
      assertThat(most).isLessThanOrEqualTo(2 * MTU);
    }
  }

  @Test
  void deliveriesThatFailTakeNoMemoryForMorePackets() {
    Pair pair = devices.pair(UC, Settings::new);
    RawMemory source = devices.near.memory(8);
    BufferPoolMXBean direct =
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .findFirst()
            .orElseThrow();
    memory.gone = true;
    long before = direct.getTotalCapacity();
    for (int i = 0; i < FAILURES; i++) {
      pair.near().post(new Wqe(WqeOpcode.RDMA_WRITE).remote(BASE, key).data(source, 0, 8));
      devices.settle();
    }
    assertThat(memory.writes).isEqualTo(FAILURES);
    assertThat(direct.getTotalCapacity() - before).isLessThan(BATCH_BYTES);
  }
}
