package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.bluebell.allocation.Trials;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.TagMatchingHeader;
import dev.bluebell.hca.wqe.TagMatchingSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawXrq;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The device allocates nothing for tags that are added and the messages that take them. */
class TagAllocationTest {
  private static final int OPERATIONS = 20_000;
  private static final int RING_WQEBBS = 16;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private Tagged tagged = new Tagged();
  private int done;
  private int told;

  @AfterEach
  void close() {
    tagged.close();
  }

  @Test
  @Tag("slow")
  void anExpectedMessageAllocatesNothing() {
    expectNoAllocation(TagMatchingHeader.EAGER, 64, 2);
  }

  @Test
  @Tag("slow")
  void aRendezvousAllocatesNothing() {
    tagged.close();
    tagged = new Tagged(true, new Settings());
    tagged.offer(0, tagged.source.address(1024), tagged.source.key(), 64);
    for (int i = 0; i < 8; i++) {
      tagged.sender().receive(tagged.target.address(Tagged.UNTAGGED), 64, tagged.target.key());
    }
    tagged.sender().writeReceiveRecord(0);
    expectNoAllocation(TagMatchingHeader.RNDV, 32, 3);
  }

  private void expectNoAllocation(int operation, int bytes, int completions) {
    if (operation == TagMatchingHeader.EAGER) {
      tagged.header(operation, 0);
    }
    for (int i = 0; i < RING_WQEBBS; i++) {
      // Two entries take turns.
      tagged.commands.write(
          RawXrq.change(TagMatchingSegment.APPEND, TagMatchingSegment.CQE_REQ, i + 1 & 1, 0, 0, -1)
              .data(tagged.target, 0, 64));
      tagged.sender().write(Wqe.send().unsignalled().data(tagged.source, 0, bytes));
    }
    assertThat(Trials.leastBytes(() -> bytesAllocated(completions))).isZero();
    assertThat(tagged.xrq.completions().query().getInt(Cqc.PRODUCER_COUNTER))
        .isEqualTo(told & 0xffffff);
  }

  private long bytesAllocated(int completions) {
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < OPERATIONS; i++) {
      int index = done++ & 0xffff;
      post(tagged.commands, index, WqeOpcode.TAG_MATCHING, 4);
      tagged.sender().writeReceiveRecord(done);
      post(tagged.sender(), index, WqeOpcode.SEND, 2);
      told += completions;
      Memory.putIntRelease(
          tagged.xrq.completions().record() + DoorbellRecord.CQ_SET_CI, told & 0xffffff);
      Memory.putIntRelease(
          tagged.sender().sends().record() + DoorbellRecord.CQ_SET_CI, done & 0xffffff);
    }
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  private void post(RawQp qp, int index, int opcode, int ds) {
    long first = ControlSegment.first(0, index, opcode, qp.number(), ds);
    Memory.putLong(qp.wqebb(index), first);
    qp.writeRecord(index + ControlSegment.wqebbs(ds));
    qp.ring(first);
    tagged.rig.settle();
  }
}
