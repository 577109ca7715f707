package dev.bluebell.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Statements and operands that no device can execute are refused when they are written. */
class ProgramBuilderTest {
  private final ProgramBuilder builder = new ProgramBuilder("program");
  private final Data table = builder.data("table", 64);

  @Test
  void aLoopThatWasRefusedLeavesNoTrace() {
    assertThatIllegalStateException()
        .isThrownBy(() -> builder.loop(() -> builder.add(table.number(0), Literal.number(1))))
        .withMessageContaining("needs a break");
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                builder.repeat(
                    2,
                    lap -> {
                      throw new IllegalStateException("of the body");
                    }));
    assertThatIllegalStateException()
        .isThrownBy(builder::leave)
        .withMessageContaining("only from inside it");
    assertThat(builder.build().statements()).isEmpty();
  }

  @Test
  void anOffsetHasEightBytes() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.loadIndexed(table, table.number(0).first(4)))
        .withMessage(
            "table[0..4) has 4 bytes; an offset has 8: copy a shorter number into a cell of 8"
                + " bytes");
  }

  @Test
  void anAddressHasEightBytes() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.load(table, table.address(0).first(4)))
        .withMessage("table[0..4) has 4 bytes; an address has 8");
  }

  @Test
  void aCellIsSetToAnOperandOfItsLength() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.set(table.number(0), Literal.number(1, 4)))
        .withMessage(
            "table[0..8) has 8 bytes and 0x01000000 has 4; copy operands of the same length");
  }

  @Test
  void aLongCopyDoesNotOverwriteWhatItStillHasToRead() {
    Data big = builder.data("big", 1024);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.set(big.bytes(8, 257), big.bytes(0, 257)))
        .withMessage(
            "big[8..265) overlaps big[0..257), which the device may overwrite before it reads it;"
                + " copy 256 bytes or less at once, or through other data");
    builder.set(big.bytes(8, 256), big.bytes(0, 256));
    builder.set(big.bytes(0, 512), big.bytes(8, 512));
    builder.set(big.bytes(0, 1024), big.bytes(0, 1024));
    builder.set(big.bytes(512, 512), big.bytes(0, 512));
    assertThat(builder.build().statements()).hasSize(4);
  }

  @Test
  void anAtomicChangesEightBytesAtAMultipleOfEight() {
    Literal<Kind.Number> one = Literal.number(1);
    for (Cell<Kind.Number> cell : List.of(table.number(4), table.number(0).first(4))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> builder.add(cell, one))
          .withMessage(
              "%s is not 8 bytes at a multiple of 8, which an atomic needs".formatted(cell));
    }
  }

  @Test
  void anOperandOfAnAtomicHasAtMostEightBytes() {
    Literal<Kind.Number> wide = new Literal<>(new byte[9]);
    Location word = new Location.Indexed(table, Literal.number(8));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.exchange(word, wide))
        .withMessage("%s has 9 bytes; an operand of an atomic has at most 8".formatted(wide));
  }

  @Test
  void aCellLiesInItsData() {
    for (int offset : new int[] {57, Integer.MAX_VALUE - 3, Integer.MAX_VALUE}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> table.number(offset))
          .withMessage("8 bytes at offset %d do not lie in table, which has 64".formatted(offset));
    }
  }

  @Test
  void nothingIsLongerThanItsData() {
    Input<Kind.Pointer> at = builder.pointer("at");
    Loaded record = builder.load(table, at);
    assertThat(record.bytes(56, 8).bytes()).isEqualTo(8);
    for (int offset : new int[] {64, Integer.MAX_VALUE}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> record.number(offset, 8))
          .withMessage(
              "a field of 8 bytes at offset %d ends after the 64 bytes that can be loaded from table"
                  .formatted(offset));
    }
    Loaded before = builder.exchange(new Location.At(table, at), Literal.number(1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> before.number(4, 8))
        .withMessage(
            "a field of 8 bytes at offset 4 ends after the 8 bytes that can be loaded from table");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.store(table, at, Literal.bytes(new byte[65])))
        .withMessage("a store of 65 bytes; table has 64");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.respond(table, at, 65))
        .withMessage("an answer from memory of 65 bytes; table has 64");
  }

  @Test
  void theWordOfAnAtomicIsAtAMultipleOfEight() {
    Literal<Kind.Number> one = Literal.number(1);
    Location four = new Location.Indexed(table, Literal.number(4));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.exchange(four, one))
        .withMessageContaining("is not a multiple of 8, which an atomic needs");
    Input<Kind.Pointer> at = builder.pointer("at");
    var unused = builder.exchange(new Location.At(table, at), one);
    Interpreter interpreter = new Interpreter(builder.build());
    byte[] address = ByteBuffer.allocate(8).putLong(interpreter.address(table) + 4).array();
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> interpreter.call(Map.of(at, address)))
        .withMessage("offset 4 of table is not a multiple of 8, which an atomic needs");
  }

  @Test
  void nothingIsEmpty() {
    Literal<Kind.Bytes> empty = new Literal<>(new byte[0]);
    DataPointer start = table.pointer(0);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.respond(empty))
        .withMessage("an answer of 0 bytes; give 1 or more");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.respond(table, start, 0, table.number(0)))
        .withMessage("an answer from memory of 0 bytes; give 1 or more");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.respond(table, start, -5))
        .withMessage("an answer from memory of -5 bytes; give 1 or more");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.respond(table, start, 8, empty))
        .withMessage("an operand of an answer of 0 bytes; give 1 or more");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.store(table, start, empty))
        .withMessage("a store of 0 bytes; give 1 or more");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.bytes("key", 0))
        .withMessage("input key of 0 bytes; give 1 or more");
  }

  @Test
  void nothingHasANegativeLengthOrNumber() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.data("keys", -1))
        .withMessage("data keys of -1 bytes; give 0 or more");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.buffer("answer", -1))
        .withMessage("buffer answer of -1 bytes; give 0 or more");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.repeat(-1, lap -> {}))
        .withMessage("-1 repetitions; give 0 or more");
  }

  @Test
  void initialContentLiesInItsData() {
    for (int offset : new int[] {-1, 61, Integer.MAX_VALUE}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> table.put(offset, new byte[4]))
          .withMessage("4 bytes at offset %d do not lie in table, which has 64".formatted(offset));
    }
  }

  @Test
  void aCallHasInputsOfTheirLengths() {
    Input<Kind.Bytes> key = builder.bytes("key", 6);
    builder.respond(key);
    Interpreter interpreter = new Interpreter(builder.build());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> interpreter.call(Map.of(key, new byte[7])))
        .withMessage("input key of program has 7 bytes: give it 6");
  }

  @Test
  void aNumberHasAtMostEightBytes() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.number("wide", 9))
        .withMessage("number wide of 9 bytes; a number has 1 to 8");
  }

  @Test
  void namesAreUnique() {
    var unused = List.of(builder.bytes("key", 6), builder.buffer("answer", 8));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.data("table", 8))
        .withMessage("program already has data with the name table; choose another name");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.number("key", 6))
        .withMessage("program already has an input with the name key; choose another name");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.buffer("answer", 8))
        .withMessage("program already has a buffer with the name answer; choose another name");
  }

  @Test
  void bytesAndAddressesReplaceTheAddressesThatTheyOverlap() {
    table.put(0, table.pointer(8)).put(8, table.pointer(16)).put(16, table.pointer(24));
    table.put(0, (byte) 1).put(12, table.pointer(32));
    assertThat(table.pointers()).containsOnly(Map.entry(12, table.pointer(32)));
    byte[] expected = new byte[64];
    expected[0] = 1;
    assertThat(table.content()).isEqualTo(expected);
  }
}
