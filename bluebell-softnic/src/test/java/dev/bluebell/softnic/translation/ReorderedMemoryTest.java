package dev.bluebell.softnic.translation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaForeignMemory;
import dev.bluebell.softnic.option.ReorderOptions;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.rig.LoneChip;
import dev.bluebell.softnic.rig.LoneMemory;
import org.junit.jupiter.api.Test;

/** The memory that reorders payload, without a device around it. */
class ReorderedMemoryTest {
  private final LoneChip lone = new LoneChip();
  private final Chip chip = lone.chip();
  private final ReorderedMemory memory =
      new ReorderedMemory(
          chip.time(),
          chip.explanations(),
          chip.scheduler(),
          new ReorderOptions(1000, 1),
          pd -> null);
  private final LoneMemory payload = lone.memory(1 << 21, MemoryKey.LOCAL_READ).count(0, 1 << 20);
  private final HcaForeignMemory relaxed =
      memory.around(new Translation.Contiguous(payload.address(1 << 20)), () -> true);

  private boolean write(int bytes) {
    return relaxed.write(payload.address(1 << 20), payload.address(0), bytes);
  }

  private byte[] written(int bytes) {
    return payload.bytes(1 << 20, bytes);
  }

  @Test
  void aDeliveryThatIsSuspendedContinuesAsTheSame() {
    memory.arrives(0x41, false, false);
    Object left = memory.leave();
    memory.arrives(0x42, false, false);
    memory.arrived();
    memory.takeBack(left);
    assertThat(write(8)).isTrue();
    assertThat(written(8)).as("held back").containsOnly(0);
    memory.completes();
    assertThat(written(8)).isEqualTo(payload.bytes(0, 8));
  }

  @Test
  void whatExceedsTheRoomIsVisibleAtOnce() {
    memory.arrives(0x41, false, false);
    for (int i = 0; i < 2; i++) {
      assertThat(write(1 << 20)).isTrue();
    }
    assertThat(written(1 << 20)).isEqualTo(payload.bytes(0, 1 << 20));
    assertThat(memory.lines().getFirst()).contains("4,096 of them now");
  }
}
