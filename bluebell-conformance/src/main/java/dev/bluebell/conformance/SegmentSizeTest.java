package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.verbs.CompletionStatus;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** Byte counts of data segments with a special meaning, which no builder writes. */
@Conformance
class SegmentSizeTest {
  private static final ValueLayout.OfInt BYTE_COUNT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  /** Offset after the control and remote address segments. */
  private static final int DATA_SEGMENT = 32;

  private static final int BYTES = 32;

  /** A WRITE of 32 bytes whose only data segment has another size. */
  private static Buffer write(Bench bench, Ends ends, int byteCount) {
    Buffer source = ends.left().buffer(BYTES).fill(1);
    Buffer target = ends.right().buffer(BYTES);
    ends.left()
        .queuePair()
        .write(target.address(0), target.rkey())
        .gather(source.address(0), BYTES, source.lkey())
        .signaled(1);
    MemorySegment request = bench.hca().posted(ends.left().queuePair().number(), 0);
    assertThat(request.get(BYTE_COUNT, DATA_SEGMENT)).isEqualTo(BYTES);
    request.set(BYTE_COUNT, DATA_SEGMENT, byteCount);
    ends.left().queuePair().ringDoorbell();
    return target;
  }

  @Test
  void aByteCountOfZeroMeans2GiBWhichIsTooLong(Bench bench) {
    bench.hca().buildInRings();
    Ends ends = bench.connected();
    Buffer target = write(bench, ends, 0);
    ends.left().awaitOne(1, CompletionStatus.LOCAL_LENGTH_ERROR, "2 GiB");
    assertThat(target.bytes()).containsOnly(0);
  }

  @Test
  void aByteCountOf2GiBMeansNoInlineData(Bench bench) {
    bench.hca().buildInRings();
    Ends ends = bench.connected();
    Buffer target = write(bench, ends, 1 << 31);
    ends.left().awaitSuccess(1);
    assertThat(target.bytes()).containsOnly(0);
  }
}
