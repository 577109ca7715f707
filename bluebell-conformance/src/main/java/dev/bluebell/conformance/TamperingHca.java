package dev.bluebell.conformance;

import dev.bluebell.hca.ForwardingHca;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.CmdIn;
import dev.bluebell.hca.command.View;
import dev.bluebell.hca.wqe.ControlSegment;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * A device to which tests can say what the driver never would: it changes commands on their way,
 * and shows the memory of rings, whose requests can be changed before their doorbell. Belongs to
 * the test's thread, and to those of the driver as far as they call it.
 */
final class TamperingHca extends ForwardingHca {
  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.BIG_ENDIAN);

  private final List<MemorySegment> memory = new CopyOnWriteArrayList<>();
  private final Map<Integer, Consumer<View>> changes = new HashMap<>();

  TamperingHca(Hca target) {
    super(target);
  }

  /**
   * Changes all objects that are created by a command from now on.
   *
   * @param opcode of the command
   * @param change gets the input
   */
  void change(int opcode, Consumer<View> change) {
    changes.put(opcode, change);
  }

  @Override
  public HcaObject create(byte[] command) {
    View in = View.over(command.clone());
    changes.getOrDefault(in.getInt(CmdIn.OPCODE), unchanged -> {}).accept(in);
    return super.create(in.bytes());
  }

  @Override
  public MemorySegment allocate(long bytes) {
    MemorySegment segment = super.allocate(bytes);
    memory.add(segment);
    return segment;
  }

  /**
   * Finds a send request that was posted and not rung, in a ring that has not gone round.
   *
   * @return the entry, up to its end
   */
  MemorySegment posted(int qpn, int index) {
    for (MemorySegment segment : memory) {
      for (long at = 0; at < segment.byteSize(); at += ControlSegment.WQEBB_BYTES) {
        long first = segment.get(WORD, at);
        int bytes = ControlSegment.ds(first) * ControlSegment.BYTES;
        if (ControlSegment.qpn(first) == qpn
            && ControlSegment.wqeIndex(first) == index
            && bytes > 0
            && at + bytes <= segment.byteSize()) {
          return segment.asSlice(at, bytes);
        }
      }
    }
    throw new AssertionError("no ring has request %d of QP 0x%x".formatted(index, qpn));
  }

  /** How often bytes stand in the memory of queues and of regions that the driver allocated. */
  int count(byte[] bytes) {
    int count = 0;
    for (MemorySegment segment : memory) {
      for (long at = 0; at + bytes.length <= segment.byteSize(); at++) {
        if (segment.get(ValueLayout.JAVA_BYTE, at) == bytes[0]
            && MemorySegment.mismatch(
                    segment, at, at + bytes.length, MemorySegment.ofArray(bytes), 0, bytes.length)
                < 0) {
          count++;
        }
      }
    }
    return count;
  }
}
