package dev.bluebell.hca.wqe;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.hca.Vectors;
import dev.bluebell.hca.Vectors.Entry;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the packers' entries with those that libmlx5 wrote for the same requests. */
class RcVectorsTest {

  private static List<RcRequest> requests(JsonNode vector) {
    List<RcRequest> requests = new ArrayList<>();
    if (vector.get("ret").asInt() == 0) {
      vector.get("requests").forEach(request -> requests.add(new RcRequest(request, vector)));
    }
    return requests;
  }

  @ParameterizedTest
  @ValueSource(strings = {"rc_core", "rc_inline", "uc", "doorbell"})
  void packersMakeTheSameEntries(String group) {
    Vectors.each(group, RcVectorsTest::assertPackersMakeTheSameEntries);
  }

  private static void assertPackersMakeTheSameEntries(JsonNode vector) {
    List<RcRequest> requests = requests(vector);
    List<Entry> entries = Vectors.entries(vector);
    assertThat(entries).hasSameSizeAs(requests);
    int index = vector.get("start_index").asInt();
    for (int i = 0; i < requests.size(); i++) {
      Entry expected = entries.get(i);
      byte[] entry = requests.get(i).entry(index);
      assertThat(Vectors.under(expected.mask(), entry))
          .isEqualTo(Vectors.under(expected.mask(), expected.bytes()));
      index = index + entry.length / ControlSegment.WQEBB_BYTES & 0xffff;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"rc_core", "rc_inline", "uc", "doorbell"})
  void accessorsReadTheFieldsOfTheRequest(String group) {
    Vectors.each(group, RcVectorsTest::assertAccessorsReadWhatWasAskedFor);
  }

  private static void assertAccessorsReadWhatWasAskedFor(JsonNode vector) {
    List<RcRequest> requests = requests(vector);
    List<Entry> entries = Vectors.entries(vector);
    int index = vector.get("start_index").asInt();
    for (int i = 0; i < requests.size(); i++) {
      Entry entry = entries.get(i);
      ByteBuffer words = ByteBuffer.wrap(Vectors.under(entry.mask(), entry.bytes()));
      int ds = assertControl(words, requests.get(i), index);
      assertSegments(words, requests.get(i), ds);
      index = index + ControlSegment.wqebbs(ds) & 0xffff;
    }
  }

  private static int assertControl(ByteBuffer words, RcRequest request, int index) {
    long first = words.getLong();
    long second = words.getLong();
    assertThat(ControlSegment.opcode(first)).isEqualTo(request.opcode());
    assertThat(ControlSegment.opmod(first)).isZero();
    assertThat(ControlSegment.wqeIndex(first)).isEqualTo(index);
    assertThat(ControlSegment.qpn(first)).isEqualTo(request.qpn());
    assertThat(ControlSegment.signature(second)).isZero();
    assertThat(ControlSegment.stream(second)).isZero();
    assertThat(ControlSegment.fmCeSe(second)).isEqualTo(request.fmCeSe());
    assertThat(ControlSegment.immediate(second)).isEqualTo(request.immediate());
    return ControlSegment.ds(first);
  }

  private static void assertSegments(ByteBuffer words, RcRequest request, int ds) {
    if (request.hasRemoteAddress()) {
      assertThat(words.getLong()).isEqualTo(request.number("remote_addr"));
      long second = words.getLong();
      assertThat(RemoteAddressSegment.rkey(second)).isEqualTo((int) request.number("rkey"));
    }
    if (request.isAtomic()) {
      boolean swap = request.opcode() == WqeOpcode.ATOMIC_CS;
      int operands = words.position();
      assertThat(words.getLong(operands + AtomicSegment.SWAP_ADD_OFFSET))
          .isEqualTo(request.number(swap ? "swap" : "compare_add"));
      assertThat(words.getLong(operands + AtomicSegment.COMPARE_OFFSET))
          .isEqualTo(swap ? request.number("compare_add") : 0);
      words.position(operands + AtomicSegment.BYTES);
    }
    if (request.isInline()) {
      assertInline(words, request.inlineData());
    } else {
      assertPointers(words, request);
    }
    assertThat(words.position()).isEqualTo(ds * ControlSegment.BYTES);
  }

  private static void assertInline(ByteBuffer words, byte[] expected) {
    if (expected.length == 0) {
      return;
    }
    int start = words.position();
    assertThat(DataSegment.isInline(words.getLong(start))).isTrue();
    byte[] data = new byte[InlineSegment.length(words.getInt())];
    words.get(data);
    assertThat(data).isEqualTo(expected);
    words.position(start + InlineSegment.ds(data.length) * ControlSegment.BYTES);
  }

  private static void assertPointers(ByteBuffer words, RcRequest request) {
    for (JsonNode sge : request.request().get("sge")) {
      if (sge.get("length").asInt() > 0) {
        long first = words.getLong();
        assertThat(DataSegment.isInline(first)).isFalse();
        assertThat(DataSegment.byteCount(first)).isEqualTo(request.length(sge));
        assertThat(DataSegment.lkey(first)).isEqualTo((int) Vectors.number(sge.get("lkey")));
        assertThat(words.getLong()).isEqualTo(Vectors.number(sge.get("addr")));
      }
    }
  }
}
