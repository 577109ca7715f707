package dev.bluebell.softnic.translation;

import dev.bluebell.hca.HcaForeignMemory;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A piece of payload that {@link ReorderedMemory} holds back, with room of its own. */
final class HeldWrite {
  final long room;

  /** Whose memory it goes to; null for this process's. */
  @Nullable HcaForeignMemory owner;

  long address;
  int bytes;

  /** The queue pair that it was delivered to. */
  int qpn;

  long due;

  /**
   * @param room address of memory of the device's own
   */
  HeldWrite(long room) {
    this.room = room;
  }

  /** True when it is of the same process and touches {@code [from, from + length)}. */
  boolean touches(@Nullable HcaForeignMemory process, long from, int length) {
    return Objects.equals(process, owner) && from < address + bytes && address < from + length;
  }
}
