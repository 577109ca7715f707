package dev.bluebell.softnic.window;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.bluebell.allocation.Trials;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.option.EngineMode;
import dev.bluebell.softnic.option.ManualClock;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.IndirectRegion;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.MemoryWindow;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.WindowRights;
import dev.bluebell.verbs.WindowType;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** Binding, using and invalidating windows allocates nothing in the driver and in the device. */
class WindowAllocationTest {
  private static final int ROUNDS = 5_000;
  private static final WindowRights RIGHTS =
      WindowRights.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE);

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final SoftNic nic =
      SoftNic.open(
          SoftNicOptions.DEFAULT.withEngine(EngineMode.STEPPED).withClock(new ManualClock()));
  private final Device device = Device.over(nic);
  private final ProtectionDomain domain = device.allocateProtectionDomain();
  private final MemoryRegion memory = domain.allocate(4096, Access.LOCAL_WRITE);
  private final CompletionQueue completions = device.createCompletionQueue(64);
  private final RcQueuePair left = domain.rcQueuePair(completions).create();
  private final RcQueuePair right = domain.rcQueuePair(completions).create();
  private final MemoryWindow window = domain.allocateWindow(WindowType.TYPE_2);
  private final IndirectRegion blocks = domain.allocateIndirect(2);
  private long sum;

  @Test
  void aWindowAndALayoutAllocateNothing() {
    left.connect(right.endpoint());
    right.connect(left.endpoint());
    memory.segment().fill((byte) 5);
    assertThat(Trials.leastBytes(this::bytesAllocated)).isZero();
    assertThat(sum).isPositive();
    device.close();
  }

  private long bytesAllocated() {
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < ROUNDS; i++) {
      int rkey = right.bind(window, memory, 1024, 512, RIGHTS).signaled(1);
      right.ringDoorbell();
      await(1);
      left.layoutInterleaved(blocks, 4, RIGHTS).piece(memory, 0, 8, 8).unsignaled(2);
      left.write(memory.address() + 1024, rkey).gather(0, 32, blocks.lkey()).signaled(3);
      left.ringDoorbell();
      await(1);
      right.invalidate(window).signaled(4);
      right.ringDoorbell();
      await(1);
    }
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  private void await(int count) {
    for (int got = 0; got < count; ) {
      var completion = completions.poll();
      if (completion == null) {
        nic.settle();
        continue;
      }
      if (!completion.isSuccess()) {
        throw new AssertionError(completion.explanation());
      }
      sum += completion.id();
      got++;
    }
  }
}
