package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.option.EngineMode;
import dev.bluebell.softnic.option.ManualClock;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionHandler;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.DcStreamInitiator;
import dev.bluebell.verbs.DcTarget;
import dev.bluebell.verbs.DcTargetAddress;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The heap that dynamic connections need beside their objects. The quotas of a device process
 * charge it when the objects are created, at the prices in Quotas of bluebell-server.
 */
class DcMemoryTest {
  private static final int STREAMS = 64;
  private static final int INITIATORS = 4;

  /** The prices of a stream and of a session in Quotas. */
  private static final long STREAM_PRICE = 1 << 14;

  private static final long SESSION_PRICE = 14 << 10;

  /** What remains of it for three long lists of pieces and for masks, which this test has not. */
  private static final long SESSION_REST = 8 << 10;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final CompletionHandler handler = this::take;
  private int completed;
  private int failed;

  private void take(Completion completion) {
    completed++;
    failed += completion.status() == CompletionStatus.SUCCESS ? 0 : 1;
  }

  @Test
  void aStreamAndASessionTakeNoMoreThanTheirPrices() {
    try (SoftNic nic =
        SoftNic.open(
            SoftNicOptions.DEFAULT.withEngine(EngineMode.STEPPED).withClock(new ManualClock()))) {
      Device device = Device.over(nic);
      ProtectionDomain domain = device.allocateProtectionDomain();
      MemoryRegion memory = domain.allocate(1 << 12, Access.rights());
      CompletionQueue completions = device.createCompletionQueue(1 << 12);
      List<DcTarget> targets = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        targets.add(
            domain
                .dcTarget(completions, domain.sharedReceiveQueue().requests(1).create())
                .create());
      }
      List<DcStreamInitiator> initiators = new ArrayList<>();
      for (int i = 0; i < INITIATORS; i++) {
        initiators.add(domain.dcStreamInitiator(completions, STREAMS).sendQueue(256).create());
      }
      long both = allocatedBy(() -> useAll(nic, targets.get(0), initiators, memory, completions));
      useAll(nic, targets.get(1), initiators, memory, completions);
      long sessions =
          allocatedBy(() -> useAll(nic, targets.get(2), initiators, memory, completions))
              / (INITIATORS * STREAMS);
      assertThat(failed).isZero();
      assertThat(sessions).as("bytes of a session").isBetween(1L, SESSION_PRICE - SESSION_REST);
      assertThat(both / (INITIATORS * STREAMS))
          .as("bytes of a stream and a session")
          .isBetween(sessions, STREAM_PRICE + SESSION_PRICE);
    }
  }

  private long allocatedBy(Runnable work) {
    long before = threads.getCurrentThreadAllocatedBytes();
    work.run();
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  /** Puts several requests in flight in each stream; atomics that wait for a READ take the most. */
  private void useAll(
      SoftNic nic,
      DcTarget target,
      List<DcStreamInitiator> initiators,
      MemoryRegion memory,
      CompletionQueue completions) {
    for (DcStreamInitiator initiator : initiators) {
      DcTargetAddress address = initiator.targetAddress(target.endpoint());
      for (int stream = 0; stream < STREAMS; stream++) {
        int awaited = completed + 32;
        for (int i = 0; i < 32; i++) {
          if (i % 16 == 0) {
            initiator.stream(stream)
                .target(address)
                .read(memory.remote())
                .scatter(memory, 0, 8)
                .signaled(1);
            continue;
          }
          initiator.stream(stream)
              .target(address)
              .fetchAndAdd(memory.address(), memory.rkey(), 1)
              .scatter(memory, 8)
              .signaled(1);
        }
        initiator.ringDoorbell();
        while (completed < awaited) {
          nic.step();
          int unused = completions.poll(handler);
        }
      }
    }
  }
}
