package dev.bluebell.verbs.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.hca.LinkLayer;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.DatagramSource;
import dev.bluebell.verbs.WorkOpcode;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The poller reads completions and arms queues as libmlx5 did. */
class CompletionVectorsTest {
  private static final int QPN = 0x0a1b01;
  private static final int GRH = 1;
  private static final int WITH_IMMEDIATE = 2;
  private static final int WITH_INVALIDATE = 8;
  private static final long SEND_ID = 0x5e000000L;
  private static final long RECEIVE_ID = 0x4e000000L;

  private static final Map<Integer, CompletionStatus> STATUS =
      Map.ofEntries(
          Map.entry(0, CompletionStatus.SUCCESS),
          Map.entry(1, CompletionStatus.LOCAL_LENGTH_ERROR),
          Map.entry(2, CompletionStatus.LOCAL_QP_OPERATION_ERROR),
          Map.entry(4, CompletionStatus.LOCAL_PROTECTION_ERROR),
          Map.entry(5, CompletionStatus.WORK_REQUEST_FLUSHED),
          Map.entry(6, CompletionStatus.MEMORY_WINDOW_BIND_ERROR),
          Map.entry(7, CompletionStatus.BAD_RESPONSE),
          Map.entry(8, CompletionStatus.LOCAL_ACCESS_ERROR),
          Map.entry(9, CompletionStatus.REMOTE_INVALID_REQUEST),
          Map.entry(10, CompletionStatus.REMOTE_ACCESS_ERROR),
          Map.entry(11, CompletionStatus.REMOTE_OPERATION_ERROR),
          Map.entry(12, CompletionStatus.RETRY_EXCEEDED),
          Map.entry(13, CompletionStatus.RNR_RETRY_EXCEEDED),
          Map.entry(16, CompletionStatus.REMOTE_ABORTED),
          Map.entry(21, CompletionStatus.GENERAL_ERROR));

  private static final Map<String, WorkOpcode> OPCODE =
      Map.ofEntries(
          Map.entry("SEND", WorkOpcode.SEND),
          Map.entry("RDMA_WRITE", WorkOpcode.RDMA_WRITE),
          Map.entry("RDMA_READ", WorkOpcode.RDMA_READ),
          Map.entry("COMP_SWAP", WorkOpcode.COMPARE_AND_SWAP),
          Map.entry("FETCH_ADD", WorkOpcode.FETCH_AND_ADD),
          Map.entry("LOCAL_INV", WorkOpcode.UMR),
          Map.entry("BIND_MW", WorkOpcode.UMR),
          Map.entry("RECV", WorkOpcode.RECEIVE),
          Map.entry("RECV_RDMA_WITH_IMM", WorkOpcode.RECEIVE_RDMA_WITH_IMMEDIATE));

  /** A completion as the view showed it. */
  private record Seen(
      long id,
      CompletionStatus status,
      int vendorSyndrome,
      WorkOpcode opcode,
      int byteCount,
      boolean hasImmediate,
      boolean hasInvalidatedRkey,
      int immediate,
      int qpn,
      Source source,
      long timestamp) {

    Seen(Completion c) {
      this(
          c.id(),
          c.status(),
          c.vendorSyndrome(),
          c.opcode(),
          c.byteCount(),
          c.hasImmediate(),
          c.hasInvalidatedRkey(),
          c.immediate(),
          c.queuePairNumber(),
          new Source(c.source()),
          c.timestamp());
    }
  }

  /** Where a datagram came from. */
  private record Source(int qpn, boolean hasHeader, int lid, int serviceLevel, int pathBits) {
    Source(DatagramSource s) {
      this(s.queuePairNumber(), s.hasHeader(), s.localIdentifier(), s.serviceLevel(), s.pathBits());
    }
  }

  static Stream<Arguments> completions() {
    return Stream.of("cqe_success", "cqe_errors")
        .flatMap(group -> Vectors.load(group).stream())
        .filter(vector -> vector.has("cq_before"))
        .map(vector -> Arguments.of(vector.get("name").asText(), vector));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("completions")
  void completionsReadAsInLibmlx5(String name, JsonNode vector) {
    Queue queue =
        new Queue(vector.get("cq"), vector.get("cq_before"), vector.get("srq").asInt() != 0);
    List<Seen> seen = new ArrayList<>();
    JsonNode expected = vector.get("wc");
    if (isUnknownOpcode(vector)) {
      assertThatThrownBy(() -> queue.ring.poll(c -> seen.add(new Seen(c)), 16))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("completion 0 of CQ 0x404 has opcode");
    } else if (vector.has("poll_ret")) {
      for (JsonNode count : vector.get("poll_ret")) {
        int polled = queue.ring.poll(c -> seen.add(new Seen(c)), vector.get("poll_ne").asInt());
        assertThat(polled).isEqualTo(count.asInt());
      }
      assertThatSeenAre(seen, expected);
    } else {
      queue.ring.poll(c -> seen.add(new Seen(c)), 16);
      assertThatSeenAre(seen, expected);
    }
    assertThat(queue.consumerIndex()).isEqualTo(vector.get("dbrec_set_ci").asInt());
  }

  /** libmlx5 reports such entries with fields that it left unset, or as an error of the queue. */
  private static boolean isUnknownOpcode(JsonNode vector) {
    return vector.has("poll_ret") && vector.get("poll_ret").get(0).asInt() < 0
        || !vector.get("wc").isEmpty() && vector.get("wc").get(0).get("wr_id").isNull();
  }

  private static void assertThatSeenAre(List<Seen> seen, JsonNode expected) {
    assertThat(seen).hasSize(expected.size());
    for (int i = 0; i < seen.size(); i++) {
      assertThatSeenIs(seen.get(i), expected.get(i));
    }
  }

  private static void assertThatSeenIs(Seen seen, JsonNode wc) {
    assertThat(seen.id).isEqualTo(Vectors.number(wc.get("wr_id")));
    assertThat(seen.status).isEqualTo(STATUS.get(wc.get("status_num").asInt()));
    if (wc.hasNonNull("qp_num")) {
      assertThat(seen.qpn).isEqualTo(Vectors.integer(wc.get("qp_num")));
    }
    if (seen.status != CompletionStatus.SUCCESS) {
      assertThat(seen.vendorSyndrome).isEqualTo(Vectors.integer(wc.get("vendor_err")));
      return;
    }
    assertThat(seen.opcode).isEqualTo(OPCODE.get(wc.get("opcode").asText()));
    // For atomics, ibv_poll_cq returns 8, like the driver, but the extended interface returns the
    // byte count in the entry, which is 0 in some vectors.
    boolean rawCount = isAtomic(seen.opcode) && wc.has("completion_ts");
    if (wc.hasNonNull("byte_len") && !rawCount) {
      assertThat(seen.byteCount).isEqualTo(wc.get("byte_len").asInt());
    }
    if (wc.hasNonNull("completion_ts")) {
      assertThat(seen.timestamp).isEqualTo(Vectors.number(wc.get("completion_ts")));
    }
    if (seen.id >= SEND_ID) {
      return;
    }
    int flags = wc.get("wc_flags").asInt();
    assertThat(seen.source.hasHeader).isEqualTo((flags & GRH) != 0);
    assertIfTold(wc, "src_qp", seen.source.qpn);
    assertIfTold(wc, "slid", seen.source.lid);
    assertIfTold(wc, "sl", seen.source.serviceLevel);
    assertIfTold(wc, "dlid_path_bits", seen.source.pathBits);
    assertThat(seen.hasImmediate).isEqualTo((flags & WITH_IMMEDIATE) != 0);
    assertThat(seen.hasInvalidatedRkey).isEqualTo((flags & WITH_INVALIDATE) != 0);
    if (seen.hasImmediate) {
      assertThat(seen.immediate).isEqualTo(Vectors.integer(wc.get("imm_data")));
    }
    if (seen.hasInvalidatedRkey) {
      // The field holds the key in host byte order and was printed as the immediate in the union.
      assertThat(seen.immediate)
          .isEqualTo(Integer.reverseBytes(Vectors.integer(wc.get("imm_data"))));
    }
  }

  private static void assertIfTold(JsonNode wc, String name, int seen) {
    if (wc.hasNonNull(name)) {
      assertThat(seen).as(name).isEqualTo(Vectors.integer(wc.get(name)));
    }
  }

  private static boolean isAtomic(WorkOpcode opcode) {
    return opcode == WorkOpcode.COMPARE_AND_SWAP || opcode == WorkOpcode.FETCH_AND_ADD;
  }

  static Stream<JsonNode> wraps() {
    return Vectors.load("cqe_errors").stream().filter(vector -> vector.has("steps"));
  }

  @ParameterizedTest
  @MethodSource("wraps")
  void theOwnerBitSeparatesNewEntriesFromThoseOfThePassBefore(JsonNode vector) {
    JsonNode steps = vector.get("steps");
    Queue queue = new Queue(vector.get("cq"), steps.get(0).get("cq"), false);
    for (JsonNode step : steps) {
      queue.fill(step.get("cq"));
      List<List<Long>> seen = new ArrayList<>();
      int polled = queue.ring.poll(c -> seen.add(List.of(c.id(), (long) c.byteCount())), 16);
      assertThat(polled).isEqualTo(step.get("ret").asInt());
      List<List<Long>> expected =
          step.get("wr_id_byte_len")
              .valueStream()
              .map(pair -> List.of(Vectors.number(pair.get(0)), pair.get(1).asLong()))
              .toList();
      assertThat(seen).isEqualTo(expected);
      assertThat(queue.consumerIndex()).isEqualTo(step.get("dbrec_set_ci").asInt());
    }
  }

  static Stream<Arguments> arms() {
    return Vectors.load("cq_arm").stream()
        .map(vector -> Arguments.of(vector.get("name").asText(), vector));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("arms")
  void armingWritesWhatLibmlx5Wrote(String name, JsonNode vector) {
    Queue queue = new Queue(64, 16, false);
    for (int i = 0; i < vector.get("cons_index").asInt(); i++) {
      queue.memory.write(
          64L * i,
          HexFormat.of().parseHex("00".repeat(56) + "000a1b01" + "%04x".formatted(i) + "0020"));
      assertThat(queue.ring.poll()).isNotNull();
    }
    queue.ring.arm(vector.get("solicited_only").asInt() == 1);
    assertThat(queue.record.hex(0, 4)).isEqualTo(vector.get("dbrec_set_ci").asText().substring(2));
    assertThat(queue.record.hex(4, 4)).isEqualTo(vector.get("dbrec_arm").asText().substring(2));
    assertThat(queue.register.hex(0, 8)).isEqualTo(vector.get("uar_bytes").asText());
  }

  /** A completion queue with the requests outstanding that the vectors complete. */
  private static final class Queue {
    private final TestMemory memory;
    private final TestMemory record = new TestMemory(64);
    private final TestMemory register = new TestMemory(64);
    private final TestMemory sendRecord = new TestMemory(64);
    private final TestMemory sendRegister = new TestMemory(512);
    private final TestMemory sendMemory = new TestMemory(64 * 64);
    private final TestMemory receiveMemory = new TestMemory(64 * 32);
    private final CompletionRing ring;
    private final int cqeBytes;

    Queue(JsonNode cq, JsonNode entries, boolean shared) {
      this(cq.get("cqe_size").asInt(), cq.get("cqe_cnt").asInt(), shared);
      fill(entries);
    }

    Queue(int cqeBytes, int entries, boolean shared) {
      this.cqeBytes = cqeBytes;
      memory = new TestMemory(entries * cqeBytes);
      record.write(0, new byte[8]);
      int logEntries = Integer.numberOfTrailingZeros(entries);
      CompletionRingLayout.initialize(memory.address(), logEntries, cqeBytes);
      QueueTable queues = new QueueTable();
      queues.set(
          queues.reserve(), new WorkQueues(QPN, sends(), shared ? sharedReceives() : receives()));
      ring =
          new CompletionRing(
              new CompletionRingLayout(
                  memory.address(),
                  logEntries,
                  cqeBytes,
                  0x404,
                  record.address(),
                  register.address()),
              queues,
              new LocalMemory(),
              null);
      // libmlx5 reads an entry's LID, path bits and service level whatever the link layer.
      ring.belongTo("libmlx5", LinkLayer.INFINIBAND);
    }

    void fill(JsonNode entries) {
      for (int i = 0; i < entries.size(); i++) {
        memory.write((long) i * cqeBytes, Vectors.bytes(entries.get(i)));
      }
    }

    int consumerIndex() {
      return Integer.parseUnsignedInt(record.hex(0, 4), 16);
    }

    /** Ten requests at WQE indices 0 to 8 and 10. */
    private SendRing sends() {
      SendRing send =
          new SendRing(
              SendRingLayout.of(
                  sendMemory.address(),
                  6,
                  QPN,
                  sendRecord.address(),
                  sendRegister.address(),
                  1024));
      for (int i = 0; i < 8; i++) {
        send.nop().signaled(SEND_ID + i);
      }
      send.request().send().inline(new byte[60], 0, 60).signaled(SEND_ID + 8);
      send.request().send().inline(new byte[124], 0, 124).signaled(SEND_ID + 9);
      send.ringDoorbell();
      return send;
    }

    private SharedReceiveRing sharedReceives() {
      SharedReceiveRing receive =
          new SharedReceiveRing(
              new SharedReceiveRingLayout(
                  receiveMemory.address(), 6, 5, sendRecord.address(), "SRQ"));
      for (int i = 0; i < 63; i++) {
        receive.receive().empty().post(RECEIVE_ID + i);
      }
      receive.ringDoorbell();
      return receive;
    }

    private ReceiveRing receives() {
      ReceiveRing receive =
          new ReceiveRing(
              new ReceiveRingLayout(receiveMemory.address(), 6, 4, QPN, sendRecord.address(), 0));
      for (int i = 0; i < 64; i++) {
        receive.receive().empty().post(RECEIVE_ID + i);
      }
      receive.ringDoorbell();
      return receive;
    }
  }
}
