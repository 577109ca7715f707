package dev.bluebell.hca.structure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** Numbers and bytes in the structures of the kernel's interface. */
class LittleEndianTest {
  private static final Structure INNER = Structure.littleEndian("inner", 4);
  private static final Field HALF = INNER.u16("half", 2);

  private static final Structure STRUCTURE = Structure.littleEndian("outer", 24);
  private static final Field BYTE = STRUCTURE.u8("byte", 0);
  private static final Field WORD = STRUCTURE.u32("word", 4);
  private static final Field LONG = STRUCTURE.u64("long", 8);
  private static final Field TEXT = STRUCTURE.bytes("text", 16, 3);
  private static final Area PART = STRUCTURE.struct("part", 20, INNER);

  @Test
  void numbersStandInTheByteOrderOfTheirStructureOnEveryMachine() {
    View view = View.of(STRUCTURE).set(BYTE, 0xfe).set(WORD, 0x89abcdef).set(LONG, -2L);
    view.at(PART).set(HALF, 0xabcd);
    ByteBuffer buffer = ByteBuffer.wrap(view.bytes()).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(buffer.get(0)).isEqualTo((byte) 0xfe);
    assertThat(buffer.getInt(4)).isEqualTo(0x89abcdef);
    assertThat(buffer.getLong(8)).isEqualTo(-2);
    assertThat(buffer.getShort(22)).isEqualTo((short) 0xabcd);
  }

  @Test
  void numbersAreReadAsTheyWereWritten() {
    View view = View.of(STRUCTURE).set(BYTE, 0xfe).set(WORD, -1).set(LONG, -1);
    assertThat(view.get(BYTE)).isEqualTo(0xfe);
    assertThat(view.get(WORD)).isEqualTo(0xffffffffL);
    assertThat(view.getInt(WORD)).isEqualTo(-1);
    assertThat(view.get(LONG)).isEqualTo(-1);
    assertThat(view.at(PART).isSet(HALF)).isFalse();
  }

  @Test
  void aNumberThatDoesNotFitIsNotWritten() {
    View view = View.of(STRUCTURE);
    assertThatThrownBy(() -> view.set(BYTE, 256)).hasMessageContaining("byte");
    assertThatThrownBy(() -> view.set(BYTE, -1)).hasMessageContaining("byte");
    assertThatThrownBy(() -> view.set(WORD, 1L << 32)).hasMessageContaining("word");
    assertThatThrownBy(() -> view.setBytes(TEXT, new byte[4])).hasMessageContaining("text");
    assertThat(view.bytes()).containsOnly(0);
  }

  @Test
  void fieldsThatOlderClientsDoNotSendReadAsZero() {
    View view = View.over(new byte[] {1, 2, 3, 4, 5, 6});
    assertThat(view.get(BYTE)).isEqualTo(1);
    assertThat(view.get(WORD)).isEqualTo(View.over(new byte[] {0, 0, 0, 0, 5, 6}).get(WORD));
    assertThat(view.get(LONG)).isZero();
    assertThat(view.at(PART).get(HALF)).isZero();
  }

  @Test
  void bytesAndNestedStructuresAreCopied() {
    View view = View.of(STRUCTURE, 2).setBytes(TEXT, new byte[] {1, 2, 3});
    view.set(PART, View.of(INNER).set(HALF, 0x1234));
    view.put(STRUCTURE.bytes(), new byte[] {8, 9});
    assertThat(view.getBytes(TEXT)).containsExactly(1, 2, 3);
    assertThat(view.at(PART).get(HALF)).isEqualTo(0x1234);
    assertThat(view.bytes()).hasSize(26).endsWith(8, 9);
  }
}
