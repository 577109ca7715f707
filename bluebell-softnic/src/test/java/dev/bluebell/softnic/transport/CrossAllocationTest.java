package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.bluebell.allocation.Trials;
import dev.bluebell.hca.wqe.WqeForm;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Wqe;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The device allocates nothing for queues that wait for each other and enable each other. */
class CrossAllocationTest extends CrossChannels {
  private static final int STEPS = 500;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  CrossAllocationTest() {
    super(Rigs.open(options -> options.withWqeChecks(false)));
  }

  /** Enables itself for ever, and waits for the completion before each time. */
  private void run() {
    RawCq counted = unpolled(4);
    RawQp qp = loop(new RawQpPlan(counted).sizes(3, 3, 4).managedSends().master());
    int ring = qp.register();
    for (int index : new int[] {0xaaaa, 0, 0x5551}) {
      qp.write(Wqe.enableSends(qp, index).unsignalled());
    }
    qp.write(Wqe.write(memory, 8).data(memory, 0, 8));
    int wait = qp.index();
    qp.write(Wqe.await(counted, 0).unsignalled());
    // One more completion each time; the first byte that is added to is the lowest of the index.
    qp.write(
        new Wqe(WqeOpcode.ATOMIC_MASKED_FA)
            .opmod(WqeForm.MASKED_ATOMIC_8)
            .remote(qp.wqebb(wait) + 24, ring)
            .words(1L << 24, 1L << 31)
            .data(memory, 16, 8)
            .unsignalled());
    qp.write(Wqe.nop().unsignalled());
    qp.write(Wqe.nop().unsignalled());
    master().post(Wqe.enableSends(qp, 0x5551).unsignalled());
  }

  @Test
  @Tag("slow")
  void aLoopAllocatesNothing() {
    run();
    assertThat(Trials.leastBytes(this::bytesAllocated)).isZero();
  }

  private long bytesAllocated() {
    long before = threads.getCurrentThreadAllocatedBytes();
    int done = 0;
    for (int step = 0; step < STEPS; step++) {
      done += rig.nic().step();
    }
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;
    assertThat(done).isGreaterThan(STEPS);
    return allocated;
  }
}
