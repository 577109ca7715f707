package dev.bluebell.verifier;

import dev.bluebell.hca.text.Counted;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.RemoteAddressSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.image.Queue;
import dev.bluebell.program.image.Region;
import dev.bluebell.program.image.Ring;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Programs without one of their barriers: a WAIT or SEND_EN is replaced by a NOP with the same
 * completion, or a fence is removed. Index, number and size of every WQE stay the same.
 */
public final class Mutations {
  /**
   * A removed barrier.
   *
   * @param what the barrier, in words
   * @param queue name of its queue
   * @param qpn number of the queue in the original image
   * @param index index of the entry
   * @param isFence true when the fence of the entry is removed, false when the entry becomes a NOP
   */
  public record Mutation(String what, String queue, int qpn, int index, boolean isFence) {
    /** The program of an image without the barrier, at whatever addresses it is installed. */
    public ProgramImage of(ProgramImage image) {
      return edit(
          image,
          queue,
          index,
          slot -> {
            if (isFence) {
              ControlSegment.FENCE_MODE.set(slot, 0, 0);
            } else {
              ControlSegment.OPCODE.set(slot, 0, WqeOpcode.NOP);
              ControlSegment.OPMOD.set(slot, 0, 0);
            }
          });
    }
  }

  private static final int OPCODE_OFFSET = ControlSegment.OPCODE.bit() / Byte.SIZE;

  private Mutations() {}

  /**
   * All removable barriers: each WAIT, SEND_EN and fence of the WQEs in the rings. Excludes WAITs
   * and SEND_ENs whose opcode a WRITE in the rings would restore.
   */
  public static List<Mutation> of(ProgramImage image) {
    List<Mutation> mutations = new ArrayList<>();
    Set<Long> written = written(image);
    for (Queue queue : image.queues()) {
      Ring ring = queue.send();
      for (int index : Request.starts(ring)) {
        byte[] slot = ring.slot(index);
        String where = Actor.wqe(queue, index);
        int opcode = (int) ControlSegment.OPCODE.get(slot, 0);
        boolean comesBack = written.contains(ring.address(index) + OPCODE_OFFSET);
        if (!comesBack && (opcode == WqeOpcode.WAIT || opcode == WqeOpcode.SEND_EN)) {
          String what = "%s of %s".formatted(WqeOpcode.name(opcode), where);
          mutations.add(new Mutation(what, queue.name(), queue.qpn(), index, false));
        }
        if (ControlSegment.FENCE_MODE.get(slot, 0) != 0) {
          String what = "fence of %s, %s".formatted(where, Counted.a(WqeOpcode.name(opcode)));
          mutations.add(new Mutation(what, queue.name(), queue.qpn(), index, true));
        }
      }
    }
    return mutations;
  }

  /** Destination addresses of WRITEs in the rings. */
  private static Set<Long> written(ProgramImage image) {
    Set<Long> written = new HashSet<>();
    for (Queue queue : image.queues()) {
      for (int index : Request.starts(queue.send())) {
        byte[] slot = queue.send().slot(index);
        if (ControlSegment.OPCODE.get(slot, 0) == WqeOpcode.RDMA_WRITE) {
          written.add(RemoteAddressSegment.ADDRESS.get(slot, ControlSegment.BYTES));
        }
      }
    }
    return written;
  }

  /** An image with a change in one slot of a queue's send ring. */
  static ProgramImage edit(ProgramImage image, String queue, int index, Consumer<byte[]> change) {
    Ring ring =
        image.queues().stream()
            .filter(each -> each.name().equals(queue))
            .findFirst()
            .orElseThrow()
            .send();
    byte[] slot = ring.slot(index);
    change.accept(slot);
    return with(image, ring, index, slot);
  }

  /** An image with other bytes in one slot of a ring. */
  static ProgramImage with(ProgramImage image, Ring ring, int index, byte[] slot) {
    byte[] bytes = ring.region().bytes();
    System.arraycopy(slot, 0, bytes, (int) (ring.address(index) - ring.region().address()), 64);
    Region old = ring.region();
    Region changed = old.withBytes(bytes);
    return new ProgramImage(
        image.queues().stream().map(queue -> with(queue, old, changed)).toList(),
        image.completionQueues(),
        image.regions().stream()
            .map(each -> each.name().equals(old.name()) ? changed : each)
            .toList(),
        image.entryPoints());
  }

  private static Queue with(Queue queue, Region old, Region changed) {
    return new Queue(
        queue.name(),
        queue.qpn(),
        queue.peer(),
        queue.managed(),
        queue.master(),
        Objects.requireNonNull(with(queue.send(), old, changed)),
        with(queue.receive(), old, changed),
        queue.receiveRecord(),
        queue.sendCq(),
        queue.receiveCq());
  }

  private static @Nullable Ring with(@Nullable Ring ring, Region old, Region changed) {
    return ring == null || !ring.region().name().equals(old.name())
        ? ring
        : new Ring(changed, ring.offset(), ring.logStride(), ring.logSlots(), ring.posted());
  }
}
