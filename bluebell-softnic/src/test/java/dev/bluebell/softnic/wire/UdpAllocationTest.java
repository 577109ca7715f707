package dev.bluebell.softnic.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.bluebell.allocation.Trials;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import dev.bluebell.softnic.wire.TwoDevices.Pair;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Sending and receiving packets over UDP allocates nothing on the Java heap for a packet. */
@ResourceLock(TwoDevices.ADDRESSES)
class UdpAllocationTest {
  private static final int PACKETS = 8192;
  private static final int BYTES = PACKETS * 256;

  /** Bytes that the test itself allocates for a message, regardless of its packets. */
  private static final long OF_A_MESSAGE = 40_000;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @Test
  @Tag("slow")
  void aPacketAllocatesNothing() {
    try (TwoDevices devices = new TwoDevices()) {
      Pair pair = devices.pair(0, () -> new Settings().mtu(1).asksAfter(4));
      RawMemory own = devices.near.memory(BYTES);
      RawMemory theirs = devices.far.memory(BYTES);
      assertThat(
              Trials.leastBytes(
                  () -> {
                    long before = threads.getCurrentThreadAllocatedBytes();
                    pair.near().post(Wqe.write(theirs, 0).data(own, 0, BYTES).unsignalled());
                    pair.near().post(Wqe.read(theirs, 0).data(own, 0, BYTES));
                    devices.settle();
                    assertThat(pair.near().sends().poll(1)).noneMatch(RawCqe::isError);
                    long bytes = threads.getCurrentThreadAllocatedBytes() - before;
                    return Math.max(0, bytes - OF_A_MESSAGE);
                  }))
          .isZero();
    }
  }
}
