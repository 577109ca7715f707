package dev.bluebell.verbs.ring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeForm;
import dev.bluebell.hca.wqe.WqeOpcode;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The maximum length of requests, and the offsets of their segments. */
class SendRingLayoutTest {
  private static final int MESSAGE_DATA = end(WqeOpcode.SEND);
  private static final int ATOMIC_DATA = end(WqeOpcode.ATOMIC_CS);

  private static int end(int opcode) {
    return Objects.requireNonNull(WqeForm.of(ServiceType.RC, opcode, 0)).fixedBytes();
  }

  @ParameterizedTest(name = "{0} with {1} entries or {2} bytes inline")
  @CsvSource({
    // Control segment, remote address, operands and one data segment.
    "RC, 0, 0, 64",
    "RC, 2, 28, 64",
    "RC, 3, 0, 128",
    "RC, 0, 29, 128",
    // No atomics: control segment and remote address.
    "UC, 0, 0, 64",
    "UC, 2, 28, 64",
    "UC, 2, 29, 128",
    // The number of the remote SRQ precedes all else.
    "XRC, 0, 0, 128",
    // An address vector, but nothing remote.
    "UD, 0, 0, 64",
    "UD, 1, 0, 128",
    "UD, 4, 60, 128",
    "UD, 5, 0, 192",
    // An address vector, a remote address, operands and one data segment.
    "DCI, 0, 0, 128",
    "DCI, 3, 44, 128",
    "DCI, 4, 0, 192"
  })
  void aRequestHasRoomForTheSegmentsOfItsService(
      ServiceType service, int maxGather, int maxInline, int bytes) {
    assertThat(SendRingLayout.wqeBytes(service, maxGather, maxInline)).isEqualTo(bytes);
  }

  @Test
  void allSegmentsBeforeTheDataOfAConnectionLieInTheFirstBlock() {
    assertThat(ATOMIC_DATA)
        .isGreaterThan(RequestPlaces.RDMA_DATA)
        .isGreaterThan(MESSAGE_DATA)
        .isLessThanOrEqualTo(ControlSegment.WQEBB_BYTES);
  }
}
