package dev.bluebell.verbs.ring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.verbs.AtomicScatter;
import dev.bluebell.verbs.ReliableOperations;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Masked atomics, and the operations based on them, are written as UCX writes them. */
class MaskedAtomicsVectorsTest {
  private static final int WQEBB = 64;

  static Stream<Arguments> vectors() {
    return Vectors.load("masked_atomics").stream()
        .map(vector -> Arguments.of(vector.get("name").asText(), vector));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("vectors")
  void theRequestEqualsThatOfUcx(String name, JsonNode vector) {
    int wqebbs = vector.at("/qp/sq_wqe_cnt").asInt();
    TestMemory ring = new TestMemory(wqebbs * WQEBB);
    TestMemory registers = new TestMemory(1024);
    SendRing send =
        new SendRing(
            SendRingLayout.of(
                    ring.address(),
                    Integer.numberOfTrailingZeros(wqebbs),
                    Vectors.integer(vector.at("/qp/qpn")),
                    registers.address(),
                    registers.address() + 512,
                    128)
                .startingAt(vector.get("start_index").asInt()));
    JsonNode request = vector.get("requests").get(0);
    JsonNode entry = request.get("sge").get(0);
    start(begin(send, vector), request)
        .scatter(Vectors.number(entry.get("addr")), Vectors.integer(entry.get("lkey")))
        .signaled(1);

    byte[] rest = ring.bytes();
    for (JsonNode wqebb : vector.get("wqebbs")) {
      int at = wqebb.get("slot").asInt() * WQEBB;
      byte[] mask = Vectors.bytes(wqebb.get("mask"));
      byte[] wanted = Vectors.bytes(wqebb.get("bytes"));
      byte[] built = ring.bytes(at, WQEBB);
      for (int i = 0; i < WQEBB; i++) {
        wanted[i] &= mask[i];
        built[i] &= mask[i];
      }
      assertThat(HexFormat.of().formatHex(built)).isEqualTo(HexFormat.of().formatHex(wanted));
      Arrays.fill(rest, at, at + WQEBB, TestMemory.POISON);
    }
    assertThat(rest).containsOnly(TestMemory.POISON);
  }

  /** The vectors name a target only by the address vector that UCX wrote. */
  private static ReliableOperations begin(SendRing send, JsonNode vector) {
    if (vector.at("/qp/type").asText().equals("RC")) {
      return send.request();
    }
    ByteBuffer written = ByteBuffer.wrap(Vectors.bytes(vector.at("/wqebbs/0/bytes")), 16, 48);
    return send.to(
        new AddressWords(
            written.getLong(),
            written.getLong(),
            written.getLong(),
            written.getLong(),
            written.getLong(),
            written.getLong()));
  }

  private static AtomicScatter start(ReliableOperations send, JsonNode request) {
    long remote = Vectors.number(request.get("remote_addr"));
    int rkey = Vectors.integer(request.get("rkey"));
    long value = Vectors.number(request.get("value"));
    boolean small = request.get("operand_bits").asInt() == 32;
    return switch (request.get("ucx_op").asText()) {
      case "ADD" ->
          small
              ? send.maskedFetchAndAdd4(remote, rkey, (int) value, 0)
              : send.fetchAndAdd(remote, rkey, value);
      case "AND" ->
          small
              ? send.fetchAndAnd4(remote, rkey, (int) value)
              : send.fetchAndAnd8(remote, rkey, value);
      case "OR" ->
          small
              ? send.fetchAndOr4(remote, rkey, (int) value)
              : send.fetchAndOr8(remote, rkey, value);
      case "XOR" ->
          small
              ? send.fetchAndXor4(remote, rkey, (int) value)
              : send.fetchAndXor8(remote, rkey, value);
      case "SWAP" ->
          small ? send.swap4(remote, rkey, (int) value) : send.swap8(remote, rkey, value);
      case "CSWAP" -> {
        long compare = Vectors.number(request.get("compare"));
        long swap = Vectors.number(request.get("swap"));
        yield small
            ? send.maskedCompareAndSwap4(remote, rkey, (int) compare, (int) swap, -1, -1)
            : send.compareAndSwap(remote, rkey, compare, swap);
      }
      default -> throw new AssertionError(request);
    };
  }
}
