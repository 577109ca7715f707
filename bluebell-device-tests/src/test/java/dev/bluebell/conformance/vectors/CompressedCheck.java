package dev.bluebell.conformance.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.MiniCqe;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.verbs.CqeCompression;
import java.util.ArrayList;
import java.util.List;

/**
 * Compressed completions: the driver expands the entries of a ring before the results of other
 * readers are looked at. These read Ethernet receive queues and queue pairs. Fields that a reader
 * ignores are not compared.
 */
final class CompressedCheck implements VectorCheck {

  @Override
  public List<String> differences(JsonNode vector) {
    List<byte[]> before = bytes(Numbers.member(vector, "cq_before"));
    int start = Numbers.integer(vector, "start_ci");
    int end = Numbers.integer(vector, "end_pi");
    int format = format(vector);
    CompressedModel queue =
        new CompressedModel(
            Numbers.integer(vector, "cqe_size"),
            Numbers.integer(vector, "cqe_cnt"),
            layout(vector),
            format,
            start);
    for (int slot = 0; slot < before.size(); slot++) {
      queue.write(slot, before.get(slot));
    }
    queue.poll();
    List<String> differences = new ArrayList<>();
    if (queue.consumerIndex() != end) {
      differences.add(
          "the consumer index is %d, recorded %d".formatted(queue.consumerIndex(), end));
      return differences;
    }
    List<byte[]> whole = new ArrayList<>();
    for (int index = start; index < end; index++) {
      whole.add(queue.entry(index));
      Numbers.compare(
          "generation", generation(queue.entry(index)), queue.generation(index), differences);
    }
    if (vector.has("kernel")) {
      new Kernel(vector, format, before, differences).compare(whole, start);
    }
    if (vector.has("dpdk")) {
      compareDpdk(vector, whole, differences);
    }
    if (vector.has("ucx")) {
      compareUcx(vector, whole, differences);
    }
    return differences;
  }

  private static List<byte[]> bytes(JsonNode hex) {
    return hex.valueStream().map(Numbers::bytes).toList();
  }

  private static CqeCompression layout(JsonNode vector) {
    return switch (Numbers.member(vector, "layout").asText()) {
      case "basic" -> CqeCompression.BASIC;
      case "enhanced" -> CqeCompression.ENHANCED;
      default -> throw new UnsupportedVector("layout " + vector.get("layout").asText());
    };
  }

  private static int format(JsonNode vector) {
    return switch (Numbers.member(vector, "mini_format").asText()) {
      case "HASH" -> Cqc.MINI_CQE_HASH;
      case "CSUM" -> Cqc.MINI_CQE_CSUM;
      case "CSUM_STRIDX" -> Cqc.MINI_CQE_CSUM_STRIDX;
      default -> throw new UnsupportedVector("format " + vector.get("mini_format").asText());
    };
  }

  private static int generation(byte[] entry) {
    return (int) Cqe.VALIDITY_ITERATION_COUNT.get(entry, 0) << 8 | (int) Cqe.OWNER.get(entry, 0);
  }

  private static void compareField(
      int number, Field field, byte[] seen, byte[] recorded, List<String> differences) {
    Numbers.compare(
        "completion %d: %s".formatted(number, field.name()),
        field.get(seen, 0),
        field.get(recorded, 0),
        differences);
  }

  private static boolean compareCount(int seen, int recorded, List<String> differences) {
    Numbers.compare("completions", seen, recorded, differences);
    return seen == recorded;
  }

  /** DPDK reports length and receive entry; for a block, it uses the counter in the block. */
  private static void compareDpdk(JsonNode vector, List<byte[]> whole, List<String> differences) {
    JsonNode recorded = Numbers.member(vector.get("dpdk"), "polls");
    if (!compareCount(whole.size(), recorded.size(), differences)) {
      return;
    }
    boolean counts = layout(vector) == CqeCompression.BASIC;
    for (int i = 0; i < whole.size(); i++) {
      JsonNode poll = recorded.get(i);
      byte[] seen = whole.get(i);
      Numbers.compare(
          "length", Cqe.BYTE_CNT.get(seen, 0), Numbers.integer(poll, "len"), differences);
      if (counts || Numbers.integer(poll, "compressed") == 0) {
        int entry = Numbers.integer(poll, "wqe_idx");
        Numbers.compare("receive entry", Cqe.WQE_COUNTER.get(seen, 0), entry, differences);
      }
    }
  }

  /**
   * UCX reads no checksums and hashes, and gives all entries the title's generation. It waits
   * forever on some rings, for which it got the same entries in another ring. In a requester's
   * completion, nothing before the user index is read.
   */
  private static void compareUcx(JsonNode vector, List<byte[]> whole, List<String> differences) {
    JsonNode ucx = vector.get("ucx");
    boolean complete = Numbers.member(ucx, "complete").asBoolean();
    JsonNode from = complete ? ucx : vector.get("ucx_same_elements_at_ci0_in_128_entry_cq");
    List<byte[]> recorded = bytes(Numbers.member(from, "expanded_cqes"));
    if (!compareCount(whole.size(), recorded.size(), differences)) {
      return;
    }
    for (int i = 0; i < whole.size(); i++) {
      byte[] seen = whole.get(i);
      byte[] other = recorded.get(i);
      Cqe.VALIDITY_ITERATION_COUNT.set(other, 0, Cqe.VALIDITY_ITERATION_COUNT.get(seen, 0));
      Cqe.OWNER.set(other, 0, Cqe.OWNER.get(seen, 0));
      boolean isRequest = Cqe.OPCODE.get(seen, 0) == CqeOpcode.REQ;
      if (!isRequest) {
        for (Field unread : List.of(Cqe.CHECK_SUM, Cqe.RSS_HASH_RESULT, Cqe.RSS_HASH_TYPE)) {
          unread.set(other, 0, unread.get(seen, 0));
        }
      }
      compareBytes(i, isRequest ? Cqe.UIDX_IMMEDIATE_WORD : 0, seen, other, differences);
    }
  }

  private static void compareBytes(
      int number, int from, byte[] seen, byte[] recorded, List<String> differences) {
    for (int at = from; at < Cqe.BYTES; at++) {
      Numbers.compare(
          "completion %d byte %d:".formatted(number, at),
          seen[at] & 0xff,
          recorded[at] & 0xff,
          differences);
    }
  }

  /** Linux expands entries of Ethernet receive queues. */
  private static final class Kernel {
    private final JsonNode kernel;
    private final String receives;
    private final int format;
    private final List<byte[]> before;
    private final List<String> differences;

    Kernel(JsonNode vector, int format, List<byte[]> before, List<String> differences) {
      kernel = vector.get("kernel");
      receives = Numbers.member(vector, "kernel_rq").asText();
      this.format = format;
      this.before = before;
      this.differences = differences;
    }

    void compare(List<byte[]> whole, int start) {
      List<byte[]> recorded = bytes(Numbers.member(kernel, "expanded_cqes"));
      if (!compareCount(whole.size(), recorded.size(), differences)) {
        return;
      }
      Numbers.compare(
          "consumer index", start + whole.size(), Numbers.integer(kernel, "dbrec"), differences);
      for (int i = 0; i < whole.size(); ) {
        byte[] first = slot(start + i);
        if (Cqe.FORMAT.get(first, 0) == Cqe.FORMAT_COMPRESSED) {
          int count = (int) Cqe.BYTE_CNT.get(first, 0);
          compareSession(start, i, whole.subList(i, i + count), recorded.subList(i, i + count));
          i += count;
        } else {
          compareBytes(i, 0, whole.get(i), recorded.get(i), differences);
          i++;
        }
      }
      compareOwners(start, whole.size());
    }

    private byte[] slot(int index) {
      return before.get(index & before.size() - 1);
    }

    private void compareSession(int start, int at, List<byte[]> whole, List<byte[]> recorded) {
      long counter = Cqe.WQE_COUNTER.get(slot(start + at), 0);
      for (int i = 0; i < whole.size(); i++) {
        int array = MiniCqe.arrayOffset(i / MiniCqe.IN_ARRAY);
        Field place = new Field("mini", i % MiniCqe.IN_ARRAY * Long.SIZE, Long.SIZE);
        long mini = place.get(slot(start + at + array), 0);
        compareMini(at + i, whole.get(i), recorded.get(i), mini, counter);
        counter += strides(Cqe.BYTE_CNT.get(whole.get(i), 0));
      }
    }

    private void compareMini(int number, byte[] seen, byte[] recorded, long mini, long counter) {
      for (Field field :
          List.of(
              Cqe.RQPN,
              Cqe.HDS_IP_EXT,
              Cqe.L4_HDR_TYPE_ETC,
              Cqe.VLAN_INFO,
              Cqe.SLID,
              Cqe.UIDX,
              Cqe.IMM,
              Cqe.APP,
              Cqe.APP_OP,
              Cqe.APP_INFO,
              Cqe.BYTE_CNT,
              Cqe.TIMESTAMP,
              Cqe.SEND_OPCODE,
              Cqe.QPN,
              Cqe.OP_OWN)) {
        compareField(number, field, seen, recorded, differences);
      }
      if (format == Cqc.MINI_CQE_HASH) {
        // Linux does not create such queues, and takes the hash for a checksum.
        Numbers.compare(
            "hash",
            Cqe.RSS_HASH_RESULT.get(seen, 0),
            MiniCqe.RX_HASH_RESULT.get(mini),
            differences);
      } else {
        compareField(number, Cqe.CHECK_SUM, seen, recorded, differences);
        compareField(number, Cqe.RSS_HASH_RESULT, seen, recorded, differences);
        compareField(number, Cqe.RSS_HASH_TYPE, seen, recorded, differences);
      }
      Numbers.compare(
          "completion %d: wqe_counter".formatted(number),
          counterOfLinux(seen, mini, counter),
          Cqe.WQE_COUNTER.get(recorded, 0),
          differences);
    }

    /** With strides, Linux writes the stride index there, given or counted. */
    private long counterOfLinux(byte[] seen, long mini, long counter) {
      if (!receives.contains("striding")) {
        return Cqe.WQE_COUNTER.get(seen, 0);
      }
      return receives.contains("no HW") ? counter : MiniCqe.STRIDX.get(mini);
    }

    private static long strides(long byteCount) {
      return byteCount >>> 16 & 0x3fff;
    }

    /** Linux leaves the same owner bits, so no old entry looks new. */
    private void compareOwners(int start, int count) {
      List<byte[]> after = bytes(Numbers.member(kernel, "cq_after"));
      for (int index = start; index < start + count; index++) {
        Numbers.compare(
            "owner of slot %d afterwards:".formatted(index & before.size() - 1),
            index / before.size() & 1,
            Cqe.OWNER.get(after.get(index & after.size() - 1), 0),
            differences);
      }
    }
  }
}
