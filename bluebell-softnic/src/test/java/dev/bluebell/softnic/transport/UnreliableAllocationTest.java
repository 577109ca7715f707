package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.bluebell.allocation.Trials;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.roce.packet.Psn;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The device allocates nothing for the messages of unreliable services, delivered or dropped. */
class UnreliableAllocationTest {
  private static final int OPERATIONS = 100_000;
  private static final int RING_WQEBBS = 16;
  private static final int RECEIVES = 8;
  private static final int BYTES = 32;
  private static final int UC = 1;
  private static final int UD = 2;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final Rig rig = Rigs.open();
  private final RawMemory memory = rig.memory(4096);
  private int posted;

  @AfterEach
  void close() {
    rig.close();
  }

  private RawPair pair(int service) {
    return RawPair.connect(
        rig.qp(new RawQpPlan(rig.cq(6)).service(service)),
        rig.qp(new RawQpPlan(rig.cq(6)).service(service)),
        new Settings());
  }

  @Test
  @Tag("slow")
  void aSendOfAnUnreliableConnectionAllocatesNothing() {
    RawPair pair = pair(UC);
    expectNoAllocation(pair, Wqe.send().data(memory, 0, BYTES), 2, true);
  }

  @Test
  void aDatagramAllocatesNothing() {
    RawPair pair = pair(UD);
    expectNoAllocation(pair, Wqe.datagram(pair.right(), 0).data(memory, 0, BYTES), 5, true);
  }

  @Test
  @Tag("slow")
  void aDatagramThatIsDroppedAllocatesNothing() {
    RawPair pair = pair(UD);
    expectNoAllocation(pair, Wqe.datagram(pair.right(), 0).data(memory, 0, BYTES), 5, false);
  }

  private void expectNoAllocation(RawPair pair, Wqe wqe, int ds, boolean received) {
    int blocks = ControlSegment.wqebbs(ds);
    memory.put(0, new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
    for (int i = 0; i < RING_WQEBBS / blocks; i++) {
      pair.left().write(wqe);
    }
    for (int i = 0; i < RECEIVES; i++) {
      pair.right().receive(memory.address(1024), 1024, memory.key());
    }
    pair.right().writeReceiveRecord(0);
    assertThat(Trials.leastBytes(() -> bytesAllocated(pair, ds, received))).isZero();
    assertThat(pair.left().query().getInt(Qpc.NEXT_SEND_PSN)).isEqualTo(0x1000 + posted & Psn.MASK);
    assertThat(Memory.getLong(memory.address(1024)) == 0).isNotEqualTo(received);
  }

  private long bytesAllocated(RawPair pair, int ds, boolean received) {
    RawQp left = pair.left();
    int blocks = ControlSegment.wqebbs(ds);
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < OPERATIONS; i++) {
      int index = posted++ * blocks & 0xffff;
      long first = ControlSegment.first(0, index, WqeOpcode.SEND, left.number(), ds);
      Memory.putLong(left.wqebb(index), first);
      left.writeRecord(index + blocks);
      if (received) {
        pair.right().writeReceiveRecord(posted);
        consume(pair.right());
      }
      consume(left);
      left.ring(first);
      rig.settle();
    }
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  private void consume(RawQp qp) {
    Memory.putIntRelease(qp.sends().record() + DoorbellRecord.CQ_SET_CI, posted - 1 & 0xffffff);
  }
}
