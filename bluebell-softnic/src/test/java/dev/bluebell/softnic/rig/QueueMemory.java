package dev.bluebell.softnic.rig;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaUmem;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** Memory of a queue and its doorbell record, registered as a umem, between guard areas. */
final class QueueMemory {
  private static final int CANARY_BYTES = 256;
  private static final byte CANARY = (byte) 0xc3;
  private static final int RECORD_ROOM = 64;

  private final MemorySegment whole;
  private final MemorySegment segment;
  private final HcaUmem umem;
  private final long queueBytes;

  QueueMemory(Hca hca, long queueBytes) {
    this.queueBytes = queueBytes;
    long bytes = queueBytes + RECORD_ROOM;
    whole = Arena.ofAuto().allocate(bytes + 2 * CANARY_BYTES, 4096).fill(CANARY);
    segment = whole.asSlice(CANARY_BYTES, bytes).fill((byte) 0);
    umem = hca.registerUmem(segment);
  }

  HcaUmem umem() {
    return umem;
  }

  /** The queue and its doorbell record. */
  MemorySegment segment() {
    return segment;
  }

  long address() {
    return segment.address();
  }

  /** Offset of the doorbell record in the umem. */
  long recordOffset() {
    return queueBytes;
  }

  long record() {
    return segment.address() + queueBytes;
  }

  void expectCanaries() {
    byte[] canary = new byte[CANARY_BYTES];
    Arrays.fill(canary, CANARY);
    assertThat(whole.asSlice(0, CANARY_BYTES).toArray(ValueLayout.JAVA_BYTE)).isEqualTo(canary);
    assertThat(whole.asSlice(whole.byteSize() - CANARY_BYTES).toArray(ValueLayout.JAVA_BYTE))
        .isEqualTo(canary);
  }
}
