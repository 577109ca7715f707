package dev.bluebell.softnic.transport.receive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.memory.Memory;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.rig.LoneChip;
import dev.bluebell.softnic.rig.LoneMemory;
import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Masked atomics compute what their definition says, bit by bit. */
class MaskedAtomicsTest {
  private static final int OFFSET = 16;

  private final LoneMemory memory = new LoneChip().memory(64);
  private final MaskedAtomics atomics = new MaskedAtomics();
  private final Packet request = new Packet();

  private Packet operands(int operation, int bytes, Random random) {
    request.opcode = operation;
    request.masked.bytes = bytes;
    request.swapAdd = number(bytes, random);
    request.compare = number(bytes, random);
    request.masked.changed = number(bytes, random);
    request.masked.compared = sparse(number(bytes, random), random);
    request.masked.swapAddHigh = bytes == 16 ? random.nextLong() : 0;
    request.masked.compareHigh = bytes == 16 ? random.nextLong() : 0;
    request.masked.changedHigh = bytes == 16 ? random.nextLong() : 0;
    request.masked.comparedHigh = bytes == 16 ? sparse(random.nextLong(), random) : 0;
    return request;
  }

  private static long number(int bytes, Random random) {
    return bytes == 4 ? random.nextInt() & 0xffffffffL : random.nextLong();
  }

  // Few bits, so that comparisons succeed often enough.
  private static long sparse(long bits, Random random) {
    return random.nextBoolean() ? 0 : bits & random.nextLong() & random.nextLong();
  }

  private static BigInteger wide(long high, long low) {
    return new BigInteger(Long.toUnsignedString(high))
        .shiftLeft(64)
        .or(new BigInteger(Long.toUnsignedString(low)));
  }

  private BigInteger value(long at, int bytes) {
    return switch (bytes) {
      case 4 -> BigInteger.valueOf(Memory.getNativeInt(at) & 0xffffffffL);
      case 8 -> wide(0, Memory.getNativeLong(at));
      default -> wide(Memory.getNativeLong(at), Memory.getNativeLong(at + 8));
    };
  }

  private BigInteger swapped(BigInteger before, int bytes) {
    for (int bit = 0; bit < 8 * bytes; bit++) {
      if (wide(request.masked.comparedHigh, request.masked.compared).testBit(bit)
          && before.testBit(bit)
              != wide(request.masked.compareHigh, request.compare).testBit(bit)) {
        return before;
      }
    }
    BigInteger after = before;
    for (int bit = 0; bit < 8 * bytes; bit++) {
      if (wide(request.masked.changedHigh, request.masked.changed).testBit(bit)) {
        boolean set = wide(request.masked.swapAddHigh, request.swapAdd).testBit(bit);
        after = set ? after.setBit(bit) : after.clearBit(bit);
      }
    }
    return after;
  }

  private BigInteger added(BigInteger before, int bytes) {
    BigInteger add = wide(request.masked.swapAddHigh, request.swapAdd);
    BigInteger ends = wide(request.masked.changedHigh, request.masked.changed);
    BigInteger after = BigInteger.ZERO;
    int carry = 0;
    for (int bit = 0; bit < 8 * bytes; bit++) {
      int sum = (before.testBit(bit) ? 1 : 0) + (add.testBit(bit) ? 1 : 0) + carry;
      after = (sum & 1) != 0 ? after.setBit(bit) : after;
      carry = ends.testBit(bit) ? 0 : sum >> 1;
    }
    return after;
  }

  @ParameterizedTest
  @Tag("slow")
  @CsvSource({"4, 0", "4, 2", "8, 0", "8, 3", "16, 0", "16, 5"})
  void everyBitIsWhatItsDefinitionSays(int bytes, int misplaced) {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    long at = memory.address(OFFSET + misplaced);
    int swaps = 0;
    for (int i = 0; i < 2000; i++) {
      boolean swap = random.nextBoolean();
      int operation = swap ? BthOpcode.COMPARE_SWAP : BthOpcode.FETCH_ADD;
      operands(operation, bytes, random);
      for (int k = 0; k < 48; k++) {
        Memory.putByte(memory.address(k), (byte) random.nextInt());
      }
      long before8 = Memory.getNativeLong(memory.address(0));
      BigInteger before = value(at, bytes);
      BigInteger expected = swap ? swapped(before, bytes) : added(before, bytes);
      long behind = Memory.getNativeLong(at + bytes);
      atomics.execute(at, request);
      assertThat(value(at, bytes)).as("seed %d, round %d", seed, i).isEqualTo(expected);
      assertThat(wide(atomics.originalHigh(), atomics.original()))
          .as("seed %d, round %d", seed, i)
          .isEqualTo(before);
      assertThat(atomics.leftUnchanged()).isEqualTo(expected.equals(before));
      assertThat(Memory.getNativeLong(memory.address(0))).isEqualTo(before8);
      assertThat(Memory.getNativeLong(at + bytes)).isEqualTo(behind);
      swaps += swap && !expected.equals(before) ? 1 : 0;
    }
    assertThat(swaps).as("seed %d", seed).isGreaterThan(100);
  }

  @Test
  void theCarryOfTheLowHalfReachesTheHighOneUnlessAFieldEndsThere() {
    long at = memory.address(OFFSET);
    request.opcode = BthOpcode.FETCH_ADD;
    request.masked.bytes = 16;
    request.swapAdd = 1;
    Memory.putNativeLong(at, 6);
    Memory.putNativeLong(at + 8, -1);
    atomics.execute(at, request);
    assertThat(Memory.getNativeLong(at)).isEqualTo(7);
    assertThat(Memory.getNativeLong(at + 8)).isZero();
    request.masked.changed = Long.MIN_VALUE;
    Memory.putNativeLong(at + 8, -1);
    atomics.execute(at, request);
    assertThat(Memory.getNativeLong(at)).isEqualTo(7);
    assertThat(Memory.getNativeLong(at + 8)).isZero();
  }

  @Test
  void allBoundariesMakeAnExclusiveOr() {
    long at = memory.address(OFFSET);
    request.opcode = BthOpcode.FETCH_ADD;
    request.masked.bytes = 8;
    request.swapAdd = 0x0ff0;
    request.masked.changed = -1;
    Memory.putNativeLong(at, 0xff00);
    atomics.execute(at, request);
    assertThat(Memory.getNativeLong(at)).isEqualTo(0xf0f0);
  }
}
