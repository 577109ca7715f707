package dev.bluebell.cli.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.roce.packet.Aeth;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.roce.packet.Psn;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The device inside and the packets outside use the same numbers for the same things. */
class VocabularyTest {
  private static final long SEED = 31;

  private static void sameConstants(Class<?> device, Class<?> packets)
      throws ReflectiveOperationException {
    int compared = 0;
    for (Field constant : device.getFields()) {
      // How an initiator leaves its target is the device's own: nothing public says it.
      if (Modifier.isStatic(constant.getModifiers()) && !constant.getName().equals("DISCONNECT")) {
        assertThat(packets.getField(constant.getName()).get(null))
            .as(constant.getName())
            .isEqualTo(constant.get(null));
        compared++;
      }
    }
    assertThat(compared).isGreaterThan(5);
  }

  @Test
  void opcodesAndSyndromesAreTheSameNumbers() throws ReflectiveOperationException {
    sameConstants(dev.bluebell.softnic.packet.BthOpcode.class, BthOpcode.class);
    sameConstants(dev.bluebell.softnic.packet.Aeth.class, Aeth.class);
    assertThat(Psn.MASK).isEqualTo(dev.bluebell.softnic.packet.Psn.MASK);
  }

  @Test
  void opcodesSayTheSameOfAnOperation() {
    for (int operation = 0; operation <= BthOpcode.SEND_ONLY_INVALIDATE; operation++) {
      assertThat(traits(operation))
          .as("operation 0x%02x", operation)
          .isEqualTo(deviceTraits(operation));
    }
  }

  private static String traits(int operation) {
    return "%b %b %b %b %b %b %b %b %b"
        .formatted(
            BthOpcode.isFirst(operation),
            BthOpcode.isLast(operation),
            BthOpcode.isSend(operation),
            BthOpcode.isWrite(operation),
            BthOpcode.isAnswered(operation),
            BthOpcode.isResponse(operation),
            BthOpcode.isReadResponse(operation),
            BthOpcode.hasImmediate(operation),
            BthOpcode.hasInvalidate(operation));
  }

  private static String deviceTraits(int operation) {
    return "%b %b %b %b %b %b %b %b %b"
        .formatted(
            dev.bluebell.softnic.packet.BthOpcode.isFirst(operation),
            dev.bluebell.softnic.packet.BthOpcode.isLast(operation),
            dev.bluebell.softnic.packet.BthOpcode.isSend(operation),
            dev.bluebell.softnic.packet.BthOpcode.isWrite(operation),
            dev.bluebell.softnic.packet.BthOpcode.isAnswered(operation),
            dev.bluebell.softnic.packet.BthOpcode.isResponse(operation),
            dev.bluebell.softnic.packet.BthOpcode.isReadResponse(operation),
            dev.bluebell.softnic.packet.BthOpcode.hasImmediate(operation),
            dev.bluebell.softnic.packet.BthOpcode.hasInvalidate(operation));
  }

  @Test
  void psnsHaveTheSameDistances() {
    Random random = new Random(SEED);
    for (int round = 0; round < 1000; round++) {
      int from = random.nextInt(Psn.MASK + 1);
      int to = random.nextInt(Psn.MASK + 1);
      assertThat(Psn.distance(from, to))
          .as("seed %d", SEED)
          .isEqualTo(dev.bluebell.softnic.packet.Psn.distance(from, to));
    }
  }
}
