package dev.bluebell.softnic.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.bluebell.hca.HcaHosting;
import dev.bluebell.hca.HcaHosting.ShownClock;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.MappedFile;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Wqe;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The device's clock in memory that clients read. */
class ShownClockTest {
  private static final ValueLayout.OfLong BIG_ENDIAN =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.BIG_ENDIAN);

  private final Rig rig = Rigs.open();
  private final HcaHosting hosting = rig.nic().hosting().orElseThrow();
  private final MemorySegment memory = Arena.ofAuto().allocate(16, 8);
  private final MemorySegment word = memory.asSlice(0, 8);

  @AfterEach
  void close() {
    rig.close();
  }

  private long shown() {
    return word.get(BIG_ENDIAN, 0);
  }

  @Test
  void theWordShowsTheClockBigEndian() {
    rig.pass(0x1122334455L);
    try (ShownClock clock = hosting.showClock(word)) {
      assertThat(shown()).isEqualTo(rig.nic().clock()).isPositive();
      rig.pass(77);
      assertThat(shown()).isEqualTo(rig.nic().clock());
      assertThat(clock).isNotNull();
    }
  }

  @Test
  void noCompletionIsLaterThanTheWordShows() {
    RawPair pair = rig.pair();
    try (ShownClock clock = hosting.showClock(word)) {
      rig.clock().advance(1_000);
      pair.left().post(new Wqe(WqeOpcode.NOP));
      rig.settle();
      assertThat(pair.left().sends().pollOne().timestamp()).isEqualTo(shown());
      assertThat(clock).isNotNull();
    }
  }

  @Test
  void theWordIsNotUpdatedOnceClosed() {
    hosting.showClock(word).close();
    long last = shown();
    rig.pass(1_000);
    assertThat(shown()).isEqualTo(last);
  }

  @Test
  void aClockThatIsClosedAfterItsDeviceDoesNoHarm() {
    ShownClock clock = hosting.showClock(word);
    rig.close();
    clock.close();
    assertThat(shown()).isNotNegative();
  }

  @Test
  void aWordWhoseMemoryVanishedStopsNeitherTheDeviceNorOtherClocks(@TempDir Path directory)
      throws IOException {
    try (MappedFile file = new MappedFile(directory, 4096)) {
      ShownClock clock = hosting.showClock(file.memory().asSlice(0, 8));
      ShownClock other = hosting.showClock(word);
      file.truncate();
      rig.pass(1_000);
      RawPair pair = rig.pair();
      pair.left().post(new Wqe(WqeOpcode.NOP));
      rig.settle();
      pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
      assertThat(shown()).isEqualTo(rig.nic().clock());
      clock.close();
      other.close();
    }
  }

  @Test
  void aClockNeedsEightAlignedBytes() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> hosting.showClock(memory.asSlice(4, 8)))
        .withMessageContaining("a multiple of 8");
    assertThatIllegalArgumentException().isThrownBy(() -> hosting.showClock(memory));
  }
}
