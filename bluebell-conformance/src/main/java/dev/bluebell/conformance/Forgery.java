package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.InlineSegment;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;

/**
 * Builds requests that the driver would not write. The driver posts a SEND with inline data; before
 * its doorbell, the opcode, opmod and everything after the addressing are overwritten. So the
 * driver has a request with this id, and the addressing is valid.
 */
final class Forgery {
  private static final int OPMOD_AT = 0;
  private static final int OPCODE_AT = 3;

  private final Line line;
  private final ByteBuffer segments = ByteBuffer.allocate(192);

  Forgery(Line line) {
    this.line = line;
  }

  /** Adds a remote address segment. */
  Forgery remote(Buffer buffer, long offset) {
    segments.putLong(buffer.address(offset)).putInt(buffer.rkey()).putInt(0);
    return this;
  }

  /** Adds a data segment. */
  Forgery data(Buffer buffer, long offset, int bytes) {
    segments.putLong(DataSegment.first(bytes, buffer.lkey())).putLong(buffer.address(offset));
    return this;
  }

  /** Adds bytes, padded to a whole segment. */
  Forgery bytes(byte... bytes) {
    segments.put(bytes);
    while (segments.position() % ControlSegment.BYTES != 0) {
      segments.put((byte) 0);
    }
    return this;
  }

  /**
   * Posts the request, signalled, as the first of its queue; the caller rings for it.
   *
   * @param opcode 0–255
   * @param opmod 0–255
   */
  void post(int opcode, int opmod, long id) {
    byte[] behind = new byte[segments.position()];
    segments.flip().get(behind);
    int room = behind.length - InlineSegment.HEADER_BYTES;
    byte[] placeholder = new byte[Math.max(0, room)];
    line.begin().send().inline(placeholder, 0, placeholder.length).signaled(id);
    MemorySegment entry = line.bench.hca().posted(line.sender().number(), 0);
    assertThat(entry.byteSize()).isGreaterThanOrEqualTo(ControlSegment.BYTES + behind.length);
    entry.set(ValueLayout.JAVA_BYTE, OPCODE_AT, (byte) opcode);
    entry.set(ValueLayout.JAVA_BYTE, OPMOD_AT, (byte) opmod);
    MemorySegment.copy(
        behind, 0, entry, ValueLayout.JAVA_BYTE, entry.byteSize() - behind.length, behind.length);
  }
}
