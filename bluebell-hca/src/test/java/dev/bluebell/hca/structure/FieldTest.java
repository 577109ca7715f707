package dev.bluebell.hca.structure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FieldTest {
  private static final int BYTES = 20;

  static IntStream widths() {
    return IntStream.rangeClosed(1, 64);
  }

  @ParameterizedTest(name = "{0} bits")
  @MethodSource("widths")
  void aFieldReadsAndWritesItsBitsAndNoOthers(int width) {
    Random random = new Random(width);
    for (int bit = 0; bit + width <= 8 * BYTES; bit++) {
      byte[] bytes = new byte[BYTES];
      random.nextBytes(bytes);
      Field field = new Field("f", bit, width);
      View view = View.over(bytes);
      assertThat(view.get(field)).isEqualTo(slice(bytes, bit, width).longValue());
      long value = random.nextLong() >>> (64 - width);
      byte[] before = bytes.clone();
      view.set(field, value);
      assertThat(view.get(field)).isEqualTo(value);
      assertThat(new BigInteger(1, bytes)).isEqualTo(replaced(before, bit, width, value));
    }
  }

  private static BigInteger slice(byte[] bytes, int bit, int width) {
    return new BigInteger(1, bytes)
        .shiftRight(8 * bytes.length - bit - width)
        .mod(BigInteger.ONE.shiftLeft(width));
  }

  private static BigInteger replaced(byte[] bytes, int bit, int width, long value) {
    int shift = 8 * bytes.length - bit - width;
    BigInteger mask = BigInteger.ONE.shiftLeft(width).subtract(BigInteger.ONE).shiftLeft(shift);
    BigInteger unsigned = new BigInteger(Long.toUnsignedString(value)).shiftLeft(shift);
    return new BigInteger(1, bytes).andNot(mask).or(unsigned);
  }

  @Test
  void aValueThatDoesNotFitIsRefusedAndNamed() {
    View view = View.over(new byte[4]);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> view.set(new Field("mtu", 5, 3), 8))
        .withMessage("0x8 does not fit the 3 bits of mtu");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> view.set(new Field("pd", 8, 24), -1))
        .withMessageContaining("24 bits of pd");
    assertThat(view.bytes()).containsOnly(0);
  }

  @Test
  void aFieldOf64BitsTakesEveryValue() {
    View view = View.over(new byte[9]);
    Field field = new Field("address", 8, 64);
    assertThat(view.set(field, -1).get(field)).isEqualTo(-1);
    assertThat(view.bytes()[0]).isZero();
  }

  @Test
  void bytesBehindTheArrayReadAsZero() {
    View view = View.over(new byte[] {(byte) 0xab, (byte) 0xcd});
    assertThat(view.get(new Field("f", 8, 16))).isEqualTo(0xcd00);
    assertThat(view.get(new Field("f", 4, 64))).isEqualTo(0xbcd0_0000_0000_0000L);
    assertThat(view.get(new Field("f", 16, 8))).isZero();
    assertThat(view.getBytes(new Field("f", 8, 128))).startsWith(0xcd, 0).hasSize(16);
    assertThat(view.getBytes(new Field("f", 80, 128))).containsOnly(0);
  }

  @Test
  void writingBehindTheArrayThrows() {
    View view = View.over(new byte[2]);
    assertThatThrownBy(() -> view.set(new Field("f", 8, 16), 1))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> view.setBytes(new Field("f", 8, 128), new byte[16]))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void aByteStringIsReadAndWrittenWhole() {
    View view = View.over(new byte[20]);
    Field gid = new Field("rgid_rip", 16, 128);
    byte[] value = new byte[16];
    new Random(1).nextBytes(value);
    view.setBytes(gid, value);
    assertThat(view.getBytes(gid)).isEqualTo(value);
    assertThat(Arrays.copyOfRange(view.bytes(), 2, 18)).isEqualTo(value);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> view.setBytes(gid, new byte[15]))
        .withMessage("rgid_rip takes 16 bytes, not 15");
  }

  @Test
  void onlyByteStringsMayBeWiderThan64Bits() {
    assertThat(new Field("f", 8, 72).isNumber()).isFalse();
    assertThat(new Field("f", 3, 64).isNumber()).isTrue();
    assertThatIllegalArgumentException().isThrownBy(() -> new Field("f", 4, 72));
    assertThatIllegalArgumentException().isThrownBy(() -> new Field("f", 8, 65));
    assertThatIllegalArgumentException().isThrownBy(() -> new Field("f", -1, 8));
    assertThatIllegalArgumentException().isThrownBy(() -> new Field("f", 0, 0));
  }
}
