package dev.bluebell.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.bluebell.hca.command.CmdHcaCap;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.command.CqCommands.CreateCqIn;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The contents of compressed completions of received messages, depending on the device's formats.
 */
class CqeFormatTest {
  private static final CompletionQueueOptions BASIC =
      CompletionQueueOptions.DEFAULT.withCompression(CqeCompression.BASIC);

  private final FakeHca hca = new FakeHca();

  private void offerCompression(boolean strides) {
    hca.caps
        .set(CmdHcaCap.CQE_COMPRESSION, true)
        .set(CmdHcaCap.CQE_COMPRESSION_MAX_NUM, 64)
        .set(CmdHcaCap.MINI_CQE_RESP_STRIDE_INDEX, strides);
  }

  private int formatOf(CompletionQueueOptions options) {
    try (Device device = Device.over(hca);
        CompletionQueue queue = device.createCompletionQueue(4, options)) {
      assertThat(queue.number()).isPositive();
      return hca.lastCommand(CommandOpcode.CREATE_CQ)
          .at(CreateCqIn.CQ_CONTEXT)
          .getInt(Cqc.MINI_CQE_RES_FORMAT);
    }
  }

  @Test
  void aQueueHasTheFormatThatItsOptionsNameAndOtherwiseTheRichest() {
    offerCompression(true);
    assertThat(formatOf(BASIC)).isEqualTo(Cqc.MINI_CQE_CSUM_STRIDX);
    assertThat(formatOf(BASIC.withMiniCqeFormat(MiniCqeFormat.HASH))).isEqualTo(0);
    assertThat(formatOf(BASIC.withMiniCqeFormat(MiniCqeFormat.CSUM))).isEqualTo(1);
    assertThat(formatOf(BASIC.withMiniCqeFormat(MiniCqeFormat.CSUM_STRIDX))).isEqualTo(3);
    assertThat(formatOf(CompletionQueueOptions.DEFAULT)).as("without compression").isEqualTo(0);
    offerCompression(false);
    assertThat(formatOf(BASIC)).isEqualTo(Cqc.MINI_CQE_HASH);
  }

  @Test
  void aFormatThatTheDeviceLacksIsRefused() {
    offerCompression(false);
    try (Device device = Device.over(hca)) {
      CompletionQueueOptions strides = BASIC.withMiniCqeFormat(MiniCqeFormat.CSUM_STRIDX);
      assertThatExceptionOfType(UnsupportedOperationException.class)
          .isThrownBy(() -> device.createCompletionQueue(4, strides))
          .withMessage(
              "fake does not compress completions in the format csum_stridx, only in hash and"
                  + " csum: choose one of them, or leave the format to the driver");
      assertThatExceptionOfType(UnsupportedOperationException.class)
          .isThrownBy(() -> device.createCompletionQueue(4, BASIC.withCqeBytes(128)))
          .withMessageContaining("in entries of 128 bytes in the layout basic");
    }
  }

  @Test
  void attributesReportTheCompressionOfTheDevice() {
    try (Device device = Device.over(hca)) {
      CompressionAttributes none = device.attributes().compression();
      assertThat(none.isSupported()).isFalse();
      assertThat(none).isEqualTo(new CompressionAttributes(false, false, false, Set.of(), 0));
    }
    offerCompression(true);
    hca.caps.set(CmdHcaCap.ENHANCED_CQE_COMPRESSION, true).set(CmdHcaCap.CQE_COMPRESSION_128, true);
    try (Device device = Device.over(hca)) {
      CompressionAttributes all = device.attributes().compression();
      assertThat(all.isSupported()).isTrue();
      assertThat(all.formats()).containsExactlyInAnyOrder(MiniCqeFormat.values());
      assertThat(all.maxSession()).isEqualTo(64);
      assertThat(all.supports(CqeCompression.ENHANCED, 128)).isTrue();
    }
  }
}
