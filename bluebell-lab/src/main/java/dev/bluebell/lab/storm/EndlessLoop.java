package dev.bluebell.lab.storm;

import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.QueueSegment;
import dev.bluebell.hca.wqe.RemoteAddressSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.ManagedQueuePair;
import dev.bluebell.verbs.MasterQueuePair;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * A NIC program that never ends: a ring of NOPs whose halves rewrite and enable each other. Each
 * WQE must contain the current index of its queue, 16 bits, so there is an image of the ring for
 * each lap until the index wraps.
 */
final class EndlessLoop {
  private static final int WQEBBS = 1 << 14;
  private static final int HALF = WQEBBS / 2;
  private static final int LAPS = (1 << 16) / WQEBBS;
  private static final long RING_BYTES = (long) WQEBBS * ControlSegment.WQEBB_BYTES;
  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private final ManagedQueuePair queue;
  private final MemoryRegion ring;
  private final MemoryRegion images;

  private EndlessLoop(ProtectionDomain domain, CompletionQueue completions) {
    queue =
        domain.rcQueuePair(completions).sendQueue(WQEBBS).crossChannel().managedSends().create();
    ring = queue.sendQueueMemory(Access.LOCAL_WRITE, Access.REMOTE_WRITE);
    images = domain.allocate(LAPS * RING_BYTES, Access.LOCAL_WRITE);
  }

  /** Starts a loop, which then runs on the device. */
  static void start(ProtectionDomain domain, CompletionQueue completions) {
    EndlessLoop loop = new EndlessLoop(domain, completions);
    for (int lap = 0; lap < LAPS; lap++) {
      loop.write(lap);
    }
    loop.queue.install(loop.images.segment().asSlice(0, RING_BYTES));
    loop.queue.connect(loop.queue.endpoint());
    MasterQueuePair launcher = domain.rcQueuePair(completions).crossChannel().create();
    launcher.connect(launcher.endpoint());
    launcher.enableSends(loop.queue, HALF).signaled(0);
    launcher.ringDoorbell();
  }

  private void write(int lap) {
    int start = lap * WQEBBS;
    for (int i = 0; i < WQEBBS; i++) {
      control(lap, i, WqeOpcode.NOP, 1, ControlSegment.FENCE_STRONG);
    }
    copy(lap, 0, lap, HALF);
    enable(lap, 1, start + WQEBBS);
    copy(lap, HALF, (lap + 1) % LAPS, 0);
    enable(lap, HALF + 1, start + WQEBBS + HALF);
  }

  private void put(int lap, int wqe, int word, long value) {
    long wqebb = lap * RING_BYTES + (long) wqe * ControlSegment.WQEBB_BYTES;
    images.segment().set(WORD, wqebb + (long) word * Long.BYTES, value);
  }

  private void control(int lap, int wqe, int opcode, int ds, int flags) {
    int index = lap * WQEBBS + wqe;
    put(lap, wqe, 0, ControlSegment.first(0, index, opcode, queue.number(), ds));
    put(lap, wqe, 1, ControlSegment.second(flags, 0));
  }

  /**
   * Writes a WQE that copies half of the ring, from WQE {@code first} on, from the image of lap
   * {@code from}.
   */
  private void copy(int lap, int wqe, int from, int first) {
    long offset = (long) first * ControlSegment.WQEBB_BYTES;
    control(lap, wqe, WqeOpcode.RDMA_WRITE, 3, 0);
    put(lap, wqe, 2, ring.address() + offset);
    put(lap, wqe, 3, RemoteAddressSegment.second(ring.rkey()));
    put(lap, wqe, 4, DataSegment.first((int) (RING_BYTES / 2), images.lkey()));
    put(lap, wqe, 5, images.address() + from * RING_BYTES + offset);
  }

  private void enable(int lap, int wqe, int end) {
    control(lap, wqe, WqeOpcode.SEND_EN, 2, 0);
    put(lap, wqe, 2, 0);
    put(lap, wqe, 3, QueueSegment.second(end & 0xffff, queue.number()));
  }
}
