package dev.bluebell.conformance.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.hca.doorbell.Uar;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.verbs.AtomicScatter;
import dev.bluebell.verbs.ReliableOperations;
import dev.bluebell.verbs.ring.AddressWords;
import dev.bluebell.verbs.ring.SendRing;
import dev.bluebell.verbs.ring.SendRingLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Atomics as UCX posts them: masked ones, and plain ones where they are equivalent. WQEBBs only.
 */
final class MaskedAtomicCheck implements VectorCheck {
  private static final int WQEBB = ControlSegment.WQEBB_BYTES;
  private static final int MAX_WQE_BYTES = 2 * WQEBB;

  @Override
  public List<String> differences(JsonNode vector) {
    JsonNode qp = Numbers.member(vector, "qp");
    String type = Numbers.member(qp, "type").asText();
    if (!type.equals("RC") && !type.equals("DCI")) {
      throw new UnsupportedVector("queue pairs of type " + type);
    }
    int wqebbs = Numbers.integer(qp, "sq_wqe_cnt");
    Scratch ring = Scratch.memory(wqebbs * WQEBB);
    Scratch record = Scratch.memory(WQEBB);
    Scratch register = Scratch.register(Uar.BLUEFLAME_REGISTER_BYTES);
    SendRing send =
        new SendRing(
            SendRingLayout.of(
                    ring.address(),
                    Integer.numberOfTrailingZeros(wqebbs),
                    Numbers.integer(qp, "qpn"),
                    record.address(),
                    register.address(),
                    MAX_WQE_BYTES)
                .startingAt(Numbers.integer(vector, "start_index")));
    for (JsonNode request : Numbers.member(vector, "requests")) {
      JsonNode entry = Numbers.member(request, "sge").path(0);
      ReliableOperations operations =
          type.equals("DCI") ? send.to(destination(vector)) : send.request();
      start(operations, request)
          .scatter(Numbers.number(entry, "addr"), Numbers.integer(entry, "lkey"))
          .signaled(0);
    }
    List<String> differences = new ArrayList<>();
    ring.compare("WQEBB", WQEBB, Numbers.member(vector, "wqebbs"), differences);
    return differences;
  }

  /** The vectors describe the destination only by its bytes. */
  private static AddressWords destination(JsonNode vector) {
    JsonNode first = Numbers.member(vector, "wqebbs").path(0);
    ByteBuffer bytes = ByteBuffer.wrap(Numbers.bytes(first, "bytes"), ControlSegment.BYTES, 48);
    return new AddressWords(
        bytes.getLong(),
        bytes.getLong(),
        bytes.getLong(),
        bytes.getLong(),
        bytes.getLong(),
        bytes.getLong());
  }

  private static AtomicScatter start(ReliableOperations send, JsonNode request) {
    return switch (Numbers.integer(request, "operand_bits")) {
      case 32 -> startOf4(send, request);
      case 64 -> startOf8(send, request);
      default -> throw new UnsupportedVector("atomics of other sizes than 4 and 8 bytes");
    };
  }

  private static AtomicScatter startOf4(ReliableOperations send, JsonNode request) {
    long remote = Numbers.number(request, "remote_addr");
    int rkey = Numbers.integer(request, "rkey");
    int value = Numbers.integer(request, "value");
    String operation = Numbers.member(request, "ucx_op").asText();
    return switch (operation) {
      case "ADD" -> send.maskedFetchAndAdd4(remote, rkey, value, 0);
      case "AND" -> send.fetchAndAnd4(remote, rkey, value);
      case "OR" -> send.fetchAndOr4(remote, rkey, value);
      case "XOR" -> send.fetchAndXor4(remote, rkey, value);
      case "SWAP" -> send.swap4(remote, rkey, value);
      case "CSWAP" ->
          send.maskedCompareAndSwap4(
              remote,
              rkey,
              Numbers.integer(request, "compare"),
              Numbers.integer(request, "swap"),
              -1,
              -1);
      default -> throw new UnsupportedVector("operation " + operation);
    };
  }

  private static AtomicScatter startOf8(ReliableOperations send, JsonNode request) {
    long remote = Numbers.number(request, "remote_addr");
    int rkey = Numbers.integer(request, "rkey");
    long value = Numbers.number(request, "value");
    String operation = Numbers.member(request, "ucx_op").asText();
    return switch (operation) {
      case "ADD" -> send.fetchAndAdd(remote, rkey, value);
      case "AND" -> send.fetchAndAnd8(remote, rkey, value);
      case "OR" -> send.fetchAndOr8(remote, rkey, value);
      case "XOR" -> send.fetchAndXor8(remote, rkey, value);
      case "SWAP" -> send.swap8(remote, rkey, value);
      case "CSWAP" ->
          send.compareAndSwap(
              remote, rkey, Numbers.number(request, "compare"), Numbers.number(request, "swap"));
      default -> throw new UnsupportedVector("operation " + operation);
    };
  }
}
