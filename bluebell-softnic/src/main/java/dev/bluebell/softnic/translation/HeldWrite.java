package dev.bluebell.softnic.translation;

import dev.bluebell.hca.HcaForeignMemory;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A piece of payload that {@link ReorderedMemory} holds back, in a buffer of its own. */
final class HeldWrite {
  final long room;

  /** The process whose memory it goes to; null for this process. */
  @Nullable HcaForeignMemory owner;

  long address;
  int bytes;

  /** The queue pair that it was delivered to. */
  int qpn;

  long due;

  /**
   * @param room address of its buffer, in the device's own memory
   */
  HeldWrite(long room) {
    this.room = room;
  }

  /** True when it goes to this process and overlaps {@code [from, from + length)}. */
  boolean touches(@Nullable HcaForeignMemory process, long from, int length) {
    return Objects.equals(process, owner) && from < address + bytes && address < from + length;
  }
}
