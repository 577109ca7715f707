package dev.bluebell.uverbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.doorbell.CqArm;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** The doorbell record of a completion queue, which libmlx5 fills with zeros. */
class ArmRecordTest extends Hosted {
  private static final int GET_CONTEXT = 0;
  private static final int CREATE_CQ = 18;
  private static final int PAGE = 4096;

  private static final ValueLayout.OfInt WORD =
      ValueLayout.JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN);

  @Test
  void theRecordOfANewQueueIsNoFirstCommand() throws IOException, InterruptedException {
    try (RawClient client = new RawClient(host)) {
      byte[] context = Fields.of(40).u32(8, 16).u32(12, 4).u64(32, 1).bytes();
      assertThat(client.write(GET_CONTEXT, context, client.memory(80))).isPositive();
      MemorySegment area = client.memory(2 * PAGE);
      byte[] request =
          Fields.of(64)
              .u32(16, 63)
              .u32(24, -1)
              .u64(32, area.address())
              .u64(40, area.address() + PAGE)
              .u32(48, 64)
              .bytes();
      assertThat(client.write(CREATE_CQ, request, client.memory(16))).isPositive();
      MemorySegment record = area.asSlice(PAGE, DoorbellRecord.BYTES);
      assertThat(CqArm.sequence(record.get(WORD, DoorbellRecord.CQ_ARM))).isNotZero();
      assertThat(record.get(WORD, DoorbellRecord.CQ_SET_CI)).isZero();
    }
    host.expectNothingLeft();
  }
}
