package dev.bluebell.roce.packet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Each bit of each header belongs to one field. */
class HeadersTest {
  private static final long SEED = 31;
  static final List<Header> ALL = Headers.ALL;

  @ParameterizedTest
  @FieldSource("ALL")
  void fieldsLeaveNoBitOutAndHaveNamesOfTheirOwn(Header header) {
    int bit = 0;
    for (Field field : header.fields()) {
      assertThat(field.bit()).isEqualTo(bit);
      bit = field.end();
      assertThat(header.field(field.name())).hasValue(field);
    }
    assertThat(bit).isEqualTo(header.bytes() * 8);
    assertThat(Headers.of(header.name())).hasValue(header);
  }

  @ParameterizedTest
  @FieldSource("ALL")
  void writingAFieldChangesItAloneAndItsTextIsReadBack(Header header) {
    Random random = new Random(SEED);
    for (int round = 0; round < 50; round++) {
      byte[] bytes = new byte[header.bytes()];
      random.nextBytes(bytes);
      ByteBuffer buffer = ByteBuffer.wrap(bytes.clone());
      for (Field field : header.fields()) {
        byte[] other = new byte[header.bytes()];
        random.nextBytes(other);
        field.put(buffer, 0, field.value(ByteBuffer.wrap(other), 0));
        assertThat(field.value(buffer, 0)).isEqualTo(field.value(ByteBuffer.wrap(other), 0));
        field.put(buffer, 0, field.value(ByteBuffer.wrap(bytes), 0));
        assertThat(buffer.array()).as("seed %d, %s", SEED, field).isEqualTo(bytes);
      }
      Layer layer = Layer.of(header, buffer, 0);
      String text = layer.toString();
      List<String> words = List.of(text.split(" "));
      assertThat(Layer.parse(header, words.subList(1, words.size()))).as(text).isEqualTo(layer);
    }
  }

  @ParameterizedTest
  @FieldSource("ALL")
  void aFieldOfAWordIsWrittenAsTheFieldAlone(Header header) {
    Random random = new Random(SEED);
    for (Field field : header.fields()) {
      if ((field.bit() & Long.SIZE - 1) + field.bits() <= Long.SIZE) {
        long value = random.nextLong();
        int word = field.bit() / Long.SIZE * Long.BYTES;
        ByteBuffer alone = ByteBuffer.allocate(header.bytes() + Long.BYTES);
        field.put(alone, 0, value);
        assertThat(field.word(value)).as("%s", field).isEqualTo(alone.getLong(word));
      }
    }
  }

  @Test
  void sizesAreThoseOfTheSpecification() {
    assertThat(Ethernet.HEADER.bytes()).isEqualTo(14);
    assertThat(Vlan.HEADER.bytes()).isEqualTo(4);
    assertThat(Ipv4.HEADER.bytes()).isEqualTo(20);
    assertThat(Ipv6.HEADER.bytes()).isEqualTo(40);
    assertThat(Grh.HEADER.bytes()).isEqualTo(40);
    assertThat(Lrh.HEADER.bytes()).isEqualTo(8);
    assertThat(Udp.HEADER.bytes()).isEqualTo(8);
    assertThat(Bth.HEADER.bytes()).isEqualTo(12);
    assertThat(Deth.HEADER.bytes()).isEqualTo(8);
    assertThat(Reth.HEADER.bytes()).isEqualTo(16);
    assertThat(AtomicEth.HEADER.bytes()).isEqualTo(28);
    assertThat(AtomicAckEth.HEADER.bytes()).isEqualTo(8);
    assertThat(Cnp.HEADER.bytes()).isEqualTo(16);
    assertThat(Sll.HEADER.bytes()).isEqualTo(16);
    assertThat(Sll2.HEADER.bytes()).isEqualTo(20);
    for (Header four : List.of(Aeth.HEADER, ImmDt.HEADER, Ieth.HEADER, Feth.HEADER)) {
      assertThat(four.bytes()).isEqualTo(4);
    }
    assertThat(XrcEth.HEADER.bytes()).isEqualTo(4);
  }

  @Test
  void opcodesSayWhichHeadersFollow() {
    assertThat(BthOpcode.extensions(0x0b)).containsExactly(Reth.HEADER, ImmDt.HEADER);
    assertThat(BthOpcode.extensions(0x12)).containsExactly(Aeth.HEADER, AtomicAckEth.HEADER);
    assertThat(BthOpcode.extensions(0x65)).containsExactly(Deth.HEADER, ImmDt.HEADER);
    assertThat(BthOpcode.extensions(0xa6)).containsExactly(XrcEth.HEADER, Reth.HEADER);
    assertThat(BthOpcode.extensions(0xb1)).containsExactly(Aeth.HEADER);
    assertThat(BthOpcode.extensions(0x0e)).isEmpty();
    for (int opcode = 0; opcode < 0x100; opcode++) {
      assertThat(BthOpcode.parse(BthOpcode.text(opcode)))
          .isEqualTo(BthOpcode.isKnown(opcode) ? opcode : -1);
    }
    assertThat(List.of(0x15, 0x2c, 0x66, 0x80, 0xc4)).noneMatch(BthOpcode::isKnown);
  }

  @Test
  void rnrTimersAreThoseOfTheSpecification() {
    int[] hundredths = {
      65536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536,
      2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152
    };
    for (int code = 0; code < hundredths.length; code++) {
      assertThat(Aeth.rnrMicroseconds(code)).isEqualTo(hundredths[code] * 10);
    }
  }
}
