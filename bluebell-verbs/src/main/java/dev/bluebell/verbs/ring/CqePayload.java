package dev.bluebell.verbs.ring;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.DataSegment;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;

/**
 * The data inside a completion, which is copied to the scatter entries of its request. Mirrors
 * {@code qp.c: mlx5_copy_to_recv_wqe, mlx5_copy_to_send_wqe}. Applications find their data in the
 * requested memory either way, and need no extra code when a device puts a short message into the
 * completion.
 */
final class CqePayload {
  private static final int ROOM_32 = 32;
  private static final int ROOM_64 = 64;
  private final long[] words = new long[ROOM_64 / Long.BYTES];
  private final MemorySegment bytes = MemorySegment.ofArray(words);
  private final LocalMemory memory;
  private final int cqn;

  /** Bytes of data that the entry can hold; 0 when its format has no data. */
  private int room;

  CqePayload(LocalMemory memory, int cqn) {
    this.memory = memory;
    this.cqn = cqn;
  }

  /**
   * Copies the data of an entry, whose slot can then be used again.
   *
   * @param cqe address of the 64 bytes of the completion
   * @param entryBytes size of the queue's entries
   */
  void take(long cqe, int format, int entryBytes) {
    room = room(format, entryBytes);
    long at = format == Cqe.FORMAT_INLINE_64 ? cqe - ROOM_64 : cqe;
    for (int i = 0; i < room / Long.BYTES; i++) {
      words[i] = Memory.getNativeLong(at + (long) i * Long.BYTES);
    }
  }

  private static int room(int format, int entryBytes) {
    return switch (format) {
      case Cqe.FORMAT_INLINE_32 -> ROOM_32;
      case Cqe.FORMAT_INLINE_64 -> entryBytes == Cqe.BYTES_128 ? ROOM_64 : 0;
      default -> 0;
    };
  }

  /** True when the entry has a format that has data. */
  boolean isThere() {
    return room > 0;
  }

  /**
   * Converts the result of an atomic to its format in memory: 8 bytes are big-endian in a
   * completion, but in host order in memory. libmlx5 does not convert them, so its applications get
   * either order.
   */
  void turnAtomic(int length) {
    if (length == Long.BYTES && ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN) {
      words[0] = Long.reverseBytes(words[0]);
    }
  }

  /**
   * Copies the data to the scatter entries of a request.
   *
   * @param length bytes that the completion reports
   * @param ring address of the ring that the request is in
   * @param byteMask bytes of the ring, a power of two, less 1
   * @param from offset of the first scatter entry
   * @param to offset behind the last, which may be beyond the end of the ring
   * @return 0, or the syndrome with which the device would have failed
   * @throws IllegalStateException when the entry cannot hold that much data
   */
  int scatter(int length, long ring, int byteMask, int from, int to) {
    requireRoom(length);
    int done = 0;
    for (int at = from; at < to && done < length; at += DataSegment.BYTES) {
      long entry = ring + (at & byteMask);
      long first = Memory.getLong(entry);
      if (isEnd(first)) {
        break;
      }
      int part = (int) Math.min(DataSegment.length(first), length - done);
      long address = Memory.getLong(entry + Long.BYTES);
      if (!memory.write(DataSegment.lkey(first), address, bytes, done, part)) {
        return Syndrome.LOCAL_PROT_ERR;
      }
      done += part;
    }
    return done < length ? Syndrome.LOCAL_LENGTH_ERR : 0;
  }

  /**
   * Copies the data to one scatter entry, as {@link #scatter} does.
   *
   * @param first its first 8 bytes
   * @param address its other 8 bytes
   */
  int place(int length, long first, long address) {
    requireRoom(length);
    if (length > (isEnd(first) ? 0 : DataSegment.length(first))) {
      return Syndrome.LOCAL_LENGTH_ERR;
    }
    return memory.write(DataSegment.lkey(first), address, bytes, 0, length)
        ? 0
        : Syndrome.LOCAL_PROT_ERR;
  }

  /** Explains in one sentence why {@link #scatter} returned a syndrome. */
  static String refusal(int syndrome, String queue, String owner) {
    return syndrome == Syndrome.LOCAL_LENGTH_ERR
        ? ("the data came inside the completion, and the scatter entries of the %s request of"
                + " %s have no room for it")
            .formatted(queue, owner)
        : ("the data came inside the completion, and a scatter entry of the %s request of %s"
                + " is not in a memory region of this device with its key and LOCAL_WRITE (the"
                + " driver can't copy to an indirect region or a DMA-BUF)")
            .formatted(queue, owner);
  }

  private void requireRoom(int length) {
    if (length < 0 || length > room) {
      throw new IllegalStateException(
          "the device reports %d bytes in a completion of CQ 0x%x that has room for %d"
              .formatted(Integer.toUnsignedLong(length), cqn, room));
    }
  }

  private static boolean isEnd(long first) {
    return DataSegment.isInline(first) || first == DataSegment.first(0, DataSegment.INVALID_LKEY);
  }
}
