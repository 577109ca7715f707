package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.bluebell.allocation.Trials;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.roce.packet.Psn;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawXrcSrq;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The device allocates nothing for the messages of XRC, to one queue or to several in turn. */
class XrcAllocationTest {
  private static final int MESSAGES = 100_000;
  private static final int RING_WQEBBS = 16;
  private static final int RECEIVES = 8;
  private static final int DS = 3;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private int posted;

  @Test
  @Tag("slow")
  void aMessageAllocatesNothing() {
    try (Rig rig = Rigs.open()) {
      RawMemory memory = rig.memory(4096).put(0, new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
      HcaObject xrcd = RawXrcSrq.domain(rig);
      RawXrcSrq[] queues = {new RawXrcSrq(rig, xrcd), new RawXrcSrq(rig, xrcd)};
      RawPair pair =
          RawPair.connect(RawXrcSrq.initiator(rig), RawXrcSrq.target(rig, xrcd), new Settings());
      for (int i = 0; i < RING_WQEBBS; i++) {
        pair.left().write(Wqe.send().xrc(queues[i % 2].number()).data(memory, 0, 32));
      }
      for (RawXrcSrq queue : queues) {
        for (int i = 0; i < RECEIVES; i++) {
          queue.receive(memory.address(1024), 1024, memory.key());
        }
        queue.writeRecord(0);
      }
      assertThat(Trials.leastBytes(() -> bytesAllocated(rig, pair.left(), queues))).isZero();
      assertThat(pair.left().query().getInt(Qpc.NEXT_SEND_PSN))
          .isEqualTo(0x1000 + posted & Psn.MASK);
      assertThat(Memory.getLong(memory.address(1024))).isNotZero();
    }
  }

  private long bytesAllocated(Rig rig, RawQp left, RawXrcSrq[] queues) {
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int end = posted + MESSAGES; posted < end; posted++) {
      int i = posted;
      int index = i & 0xffff;
      long first = ControlSegment.first(0, index, WqeOpcode.SEND, left.number(), DS);
      Memory.putLong(left.wqebb(index), first);
      left.writeRecord(index + 1);
      RawXrcSrq queue = queues[i % 2];
      queue.writeRecord(i / 2 + 1);
      consume(queue.cq(), i / 2);
      consume(left.sends(), i);
      left.ring(first);
      rig.settle();
    }
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  private static void consume(RawCq cq, int consumer) {
    Memory.putIntRelease(cq.record() + DoorbellRecord.CQ_SET_CI, consumer & 0xffffff);
  }
}
