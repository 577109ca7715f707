package dev.bluebell.hca;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.ErrorCqe;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.wqe.AddressVector;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.InlineSegment;
import dev.bluebell.hca.wqe.RemoteAddressSegment;
import dev.bluebell.hca.wqe.XrcSegment;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the word accessors of the data path with the declared fields of the formats. */
class WordAccessorsTest {
  private static final int ROUNDS = 100;

  /**
   * How the data path reads a field.
   *
   * @param word offset of the word that {@code read} takes
   */
  record Accessor(Field field, int word, LongUnaryOperator read) {
    @Override
    public String toString() {
      return field.name();
    }
  }

  static Stream<Accessor> accessors() {
    int first = 0;
    int second = 8;
    return Stream.of(
        new Accessor(ControlSegment.OPMOD, first, ControlSegment::opmod),
        new Accessor(ControlSegment.INDEX, first, ControlSegment::wqeIndex),
        new Accessor(ControlSegment.OPCODE, first, ControlSegment::opcode),
        new Accessor(ControlSegment.QPN, first, ControlSegment::qpn),
        new Accessor(ControlSegment.DS, first, ControlSegment::ds),
        new Accessor(ControlSegment.SIGNATURE, second, ControlSegment::signature),
        new Accessor(ControlSegment.STREAM, second, ControlSegment::stream),
        new Accessor(ControlSegment.FM_CE_SE, second, ControlSegment::fmCeSe),
        new Accessor(ControlSegment.IMM, second, ControlSegment::immediate),
        new Accessor(DataSegment.BYTE_COUNT, first, DataSegment::byteCount),
        new Accessor(DataSegment.LKEY, first, DataSegment::lkey),
        new Accessor(InlineSegment.INLINE, first, w -> DataSegment.isInline(w) ? 1 : 0),
        new Accessor(InlineSegment.LENGTH, first, w -> InlineSegment.length((int) (w >>> 32))),
        new Accessor(RemoteAddressSegment.RKEY, second, RemoteAddressSegment::rkey),
        new Accessor(XrcSegment.SRQN, first, XrcSegment::srqn),
        new Accessor(AddressVector.QKEY, AddressVector.KEY_WORD, AddressVector::qkey),
        new Accessor(
            AddressVector.EXT,
            AddressVector.DESTINATION_WORD,
            w -> AddressVector.isExtended(w) ? 1 : 0),
        new Accessor(AddressVector.DQPN, AddressVector.DESTINATION_WORD, AddressVector::qpn),
        new Accessor(AddressVector.TCLASS, AddressVector.ROUTE_WORD, AddressVector::trafficClass),
        new Accessor(AddressVector.HOP_LIMIT, AddressVector.ROUTE_WORD, AddressVector::hopLimit),
        new Accessor(
            AddressVector.SRC_ADDR_INDEX, AddressVector.ROUTE_WORD, AddressVector::sourceGidIndex),
        new Accessor(AddressVector.FLOW_LABEL, AddressVector.ROUTE_WORD, AddressVector::flowLabel),
        new Accessor(Cqe.GRH, Cqe.FLAGS_RQPN_WORD, w -> Cqe.hasHeader(w) ? Cqe.GRH.get(w) : 0),
        new Accessor(Cqe.L3_TYPE, Cqe.FLAGS_RQPN_WORD, Cqe::l3Type),
        new Accessor(Cqe.RQPN, Cqe.FLAGS_RQPN_WORD, Cqe::remoteQpn),
        new Accessor(Cqe.UIDX, Cqe.UIDX_IMMEDIATE_WORD, Cqe::userIndex),
        new Accessor(Cqe.IMM, Cqe.UIDX_IMMEDIATE_WORD, Cqe::immediate),
        new Accessor(Cqe.BYTE_CNT, Cqe.BYTE_COUNT_WORD, Cqe::byteCount),
        new Accessor(ErrorCqe.VENDOR_ERR_SYND, Cqe.TIMESTAMP_WORD, Cqe::vendorSyndrome),
        new Accessor(ErrorCqe.SYNDROME, Cqe.TIMESTAMP_WORD, Cqe::syndrome),
        new Accessor(Cqe.SEND_OPCODE, Cqe.LAST_WORD, Cqe::sendOpcode),
        new Accessor(Cqe.QPN, Cqe.LAST_WORD, Cqe::qpn),
        new Accessor(Cqe.WQE_COUNTER, Cqe.LAST_WORD, Cqe::wqeCounter),
        new Accessor(Cqe.OPCODE, Cqe.LAST_WORD, Cqe::opcode),
        new Accessor(Cqe.FORMAT, Cqe.LAST_WORD, Cqe::format),
        new Accessor(Cqe.SOLICITED_EVENT, Cqe.LAST_WORD, w -> Cqe.solicited(w) ? 1 : 0),
        new Accessor(Cqe.OWNER, Cqe.LAST_WORD, Cqe::owner));
  }

  private static long mask(Field field) {
    return -1L >>> 64 - field.width();
  }

  @ParameterizedTest
  @MethodSource("accessors")
  void anAccessorReadsItsField(Accessor accessor) {
    Field field = accessor.field();
    assertThat(field.word()).isEqualTo(accessor.word());
    for (int seed = 0; seed < ROUNDS; seed++) {
      byte[] bytes = new byte[Cqe.BYTES];
      new Random(seed).nextBytes(bytes);
      long word = ByteBuffer.wrap(bytes).getLong(accessor.word());
      assertThat(accessor.read().applyAsLong(word) & mask(field))
          .as("seed %d", seed)
          .isEqualTo(field.get(bytes, 0));
    }
  }

  @Test
  void packersWriteTheirFields() {
    for (int seed = 0; seed < ROUNDS; seed++) {
      Random random = new Random(seed);
      int a = random.nextInt();
      int b = random.nextInt();
      int c = random.nextInt();
      int d = random.nextInt();
      int e = random.nextInt();
      assertWord(
          ControlSegment.first(a, b, c, d, e),
          value(ControlSegment.OPMOD, a),
          value(ControlSegment.INDEX, b),
          value(ControlSegment.OPCODE, c),
          value(ControlSegment.QPN, d),
          value(ControlSegment.DS, e));
      assertWord(
          ControlSegment.second(a, b),
          value(ControlSegment.FM_CE_SE, a),
          value(ControlSegment.IMM, b));
      assertWord(
          DataSegment.first(a >>> 1, b),
          value(DataSegment.BYTE_COUNT, a >>> 1),
          value(DataSegment.LKEY, b));
      assertWord(RemoteAddressSegment.second(a), value(RemoteAddressSegment.RKEY, a));
      assertWord(XrcSegment.first(a), value(XrcSegment.SRQN, a));
      assertWord(AddressVector.keyWord(a), value(AddressVector.QKEY, a));
      assertWord(
          AddressVector.destinationWord(a, b, c),
          value(AddressVector.EXT, 1),
          value(AddressVector.DQPN, a),
          value(AddressVector.STAT_RATE_SL, b),
          value(AddressVector.RLID, c));
      assertWord(
          Cqe.lastWord(a, b, c, d),
          value(Cqe.SEND_OPCODE, a),
          value(Cqe.QPN, b),
          value(Cqe.WQE_COUNTER, c),
          value(Cqe.OP_OWN, d));
      assertWord(Cqe.uidxImmediateWord(a, b), value(Cqe.UIDX, a), value(Cqe.IMM, b));
      assertWord(
          Cqe.errorWord(a, b), value(ErrorCqe.VENDOR_ERR_SYND, a), value(ErrorCqe.SYNDROME, b));
      assertWord(
          (long) Cqe.datagramFlags(Cqe.L3_IPV6, a) << 32,
          value(Cqe.GRH, 1),
          value(Cqe.UDP_HEADER, 1),
          value(Cqe.L3_TYPE, Cqe.L3_IPV6),
          value(Cqe.RQPN, a));
    }
  }

  private record Value(Field field, long number) {}

  private static Value value(Field field, int number) {
    return new Value(field, number & mask(field));
  }

  /** The word has these values in their fields, and nothing elsewhere. */
  private static void assertWord(long word, Value... values) {
    byte[] bytes = new byte[Cqe.BYTES];
    for (Value value : values) {
      value.field().set(bytes, 0, value.number());
    }
    assertThat(word).isEqualTo(ByteBuffer.wrap(bytes).getLong(values[0].field().word()));
  }

  @Test
  void theAddressOfAnAddressVectorLiesInTwoWords() {
    for (int seed = 0; seed < ROUNDS; seed++) {
      Random random = new Random(seed);
      long mac = random.nextLong() & mask(AddressVector.RMAC);
      int trafficClass = random.nextInt() & 0xff;
      int hopLimit = random.nextInt() & 0xff;
      int gidIndex = random.nextInt() & 0xff;
      int flowLabel = random.nextInt() & 0xfffff;
      byte[] bytes = new byte[AddressVector.BYTES];
      AddressVector.RMAC.set(bytes, 0, mac);
      AddressVector.TCLASS.set(bytes, 0, trafficClass);
      AddressVector.HOP_LIMIT.set(bytes, 0, hopLimit);
      AddressVector.SRC_ADDR_INDEX.set(bytes, 0, gidIndex);
      AddressVector.FLOW_LABEL.set(bytes, 0, flowLabel);
      ByteBuffer words = ByteBuffer.wrap(bytes);
      assertThat(AddressVector.rmacWord(mac)).isEqualTo(words.getLong(AddressVector.RMAC_WORD));
      assertThat(AddressVector.routeWord(mac, trafficClass, hopLimit, gidIndex, flowLabel))
          .isEqualTo(words.getLong(AddressVector.ROUTE_WORD));
    }
    assertThat(AddressVector.RMAC.word()).isEqualTo(AddressVector.RMAC_WORD);
    assertThat(AddressVector.RGID.word()).isEqualTo(AddressVector.RGID_HIGH_WORD);
  }

  @Test
  void flagsAndMasksCoverTheirFields() {
    assertThat(bits(ControlSegment.FENCE_MODE, 7)).isEqualTo(ControlSegment.FENCE_MASK);
    assertThat(bits(ControlSegment.COMPLETION_MODE, 3)).isEqualTo(ControlSegment.CE_MASK);
    assertThat(bits(ControlSegment.SOLICITED_EVENT, 1)).isEqualTo(ControlSegment.SOLICITED);
    assertThat(bits(InlineSegment.INLINE, 1)).isEqualTo(InlineSegment.FLAG);
    assertThat(bits(InlineSegment.LENGTH, -1)).isEqualTo(InlineSegment.LENGTH_MASK);
    assertThat(bits(AddressVector.EXT, 1)).isEqualTo(AddressVector.EXTENDED);
    assertThat((int) Cqe.OWNER.place(1)).isEqualTo(Cqe.OWNER_MASK);
    assertThat((int) Cqe.SOLICITED_EVENT.place(1)).isEqualTo(Cqe.SOLICITED);
    assertThat((int) Cqe.FORMAT.place(3)).isEqualTo(Cqe.FORMAT_MASK);
    assertThat(ControlSegment.MAX_DS).isEqualTo((int) mask(ControlSegment.DS));
  }

  private static int bits(Field field, int value) {
    return (int) (field.place(value) >>> 32);
  }
}
