package dev.bluebell.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.verbs.Device;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Contents distinguish messages from each other, and from memory that no message reached. */
class PayloadTest {
  private final Device device = Device.open("soft:engine=poll");

  @AfterEach
  void close() {
    device.close();
  }

  private Payload payload(int size, int contents) {
    return new Payload(device.allocateProtectionDomain(), size, contents);
  }

  @Test
  void contentsOfEightBytesAreAllDifferent() {
    Payload payload = payload(8, 5000);
    Set<Long> words = new HashSet<>();
    for (int content = 0; content < 5000; content++) {
      words.add(payload.memory().get(ValueLayout.JAVA_LONG, payload.offset(content)));
    }
    assertThat(words).hasSize(5000);
  }

  @Test
  void noByteIsThePoison() {
    Payload payload = payload(64, 4000);
    assertThat(payload.memory().toArray(ValueLayout.JAVA_BYTE)).doesNotContain(Payload.POISON);
  }

  @Test
  void poisonedMemoryHoldsNoMessageOfAnySize() {
    for (int size : new int[] {1, 2, 3, 7, 8, 9, 63, 64, 65, 4096}) {
      Payload payload = payload(size, 3);
      MemorySegment memory = Arena.ofAuto().allocate(size).fill(Payload.POISON);
      assertThat(payload.isAt(memory, 0, 1)).as("%d bytes", size).isFalse();
    }
  }

  @Test
  void aMessageIsRecognizedAndEachOfItsBytesCounts() {
    int size = 77;
    Payload payload = payload(size, 3);
    MemorySegment memory = Arena.ofAuto().allocate(size);
    MemorySegment.copy(payload.memory(), payload.offset(2), memory, 0, size);
    assertThat(payload.isAt(memory, 0, 2)).isTrue();
    assertThat(payload.isAt(memory, 0, 1)).isFalse();
    for (int i = 0; i < size; i++) {
      byte right = memory.get(ValueLayout.JAVA_BYTE, i);
      memory.set(ValueLayout.JAVA_BYTE, i, (byte) (right ^ 1));
      assertThat(payload.isAt(memory, 0, 2)).as("byte %d flipped", i).isFalse();
      memory.set(ValueLayout.JAVA_BYTE, i, right);
    }
  }

  @Test
  void contentsFollowEachOtherInACircle() {
    Payload payload = payload(8, 3);
    assertThat(payload.content(7)).isEqualTo(1);
    assertThat(payload.after(1)).isEqualTo(2);
    assertThat(payload.after(2)).isZero();
  }
}
