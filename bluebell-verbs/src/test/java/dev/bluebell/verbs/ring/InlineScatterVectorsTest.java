package dev.bluebell.verbs.ring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.WorkOpcode;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Data inside completions is copied to where libmlx5 copied it. */
class InlineScatterVectorsTest {
  private static final int QPN = 0x0a1b01;
  private static final int LKEY = 0x1200;
  private static final int BUFFER = 256;
  private static final Map<String, WorkOpcode> OPCODE =
      Map.of(
          "RECV", WorkOpcode.RECEIVE,
          "RDMA_READ", WorkOpcode.RDMA_READ,
          "COMP_SWAP", WorkOpcode.COMPARE_AND_SWAP,
          "FETCH_ADD", WorkOpcode.FETCH_AND_ADD);

  static Stream<Arguments> vectors() {
    return Vectors.load("cqe_inline_scatter").stream()
        .filter(vector -> vector.get("srq").asInt() == 0)
        .map(vector -> Arguments.of(vector.get("name").asText(), vector));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("vectors")
  void theDataIsInTheScatterEntriesOfTheRequest(String name, JsonNode vector) {
    TestMemory buffer = new TestMemory(BUFFER);
    buffer.write(0, new byte[BUFFER]);
    LocalMemory memory = new LocalMemory();
    memory.add(LKEY, buffer.address(), buffer.segment());
    TestMemory queues = new TestMemory(1 << 16);
    int cqeBytes = vector.at("/cq/cqe_size").asInt();
    int entries = vector.at("/cq/cqe_cnt").asInt();
    TestMemory ring = new TestMemory(entries * cqeBytes);
    for (int i = 0; i < entries; i++) {
      ring.write((long) i * cqeBytes, Vectors.bytes(vector.get("cq_before").get(i)));
    }
    QueueTable table = new QueueTable();
    table.set(
        table.reserve(),
        new WorkQueues(
            QPN, sends(queues, buffer), receives(queues, buffer, !name.contains("rsge1"))));
    CompletionRing completions =
        new CompletionRing(
            new CompletionRingLayout(
                ring.address(),
                Integer.numberOfTrailingZeros(entries),
                cqeBytes,
                0x404,
                queues.address(),
                queues.address() + 64),
            table,
            memory,
            null);

    Completion completion;
    try {
      completion = completions.poll();
    } finally {
      // The rings know addresses only.
      Reference.reachabilityFence(queues);
      Reference.reachabilityFence(ring);
    }
    JsonNode wc = vector.get("wc").get(0);
    assertThat(completion).isNotNull();
    assertThat(completion.id()).isEqualTo(Vectors.number(wc.get("wr_id")));
    assertThat(completion.isSuccess()).isTrue();
    assertThat(completion.opcode()).isEqualTo(OPCODE.get(wc.get("opcode").asText()));
    assertThat(completion.byteCount()).isEqualTo(wc.get("byte_len").asInt());
    JsonNode landed =
        vector.has("recv_buffers")
            ? vector.get("recv_buffers")
            : vector.get("local_buffers_of_send_wrs");
    byte[] expected = Vectors.bytes(landed.get(0).get("bytes"));
    if (name.contains("ATOMIC") && ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN) {
      // libmlx5 leaves the result of an atomic in the byte order of the entry.
      ByteBuffer bytes = ByteBuffer.wrap(expected);
      bytes.putLong(0, Long.reverseBytes(bytes.getLong(0)));
    }
    assertThat(buffer.bytes()).isEqualTo(expected);
  }

  /** Requests 5, 6 and 7 are a READ, a compare-and-swap and a fetch-and-add. */
  private static SendRing sends(TestMemory queues, TestMemory buffer) {
    SendRing send =
        new SendRing(
            SendRingLayout.of(
                queues.address() + 4096,
                4,
                QPN,
                queues.address() + 128,
                queues.address() + 1024,
                64));
    for (int i = 0; i < 5; i++) {
      send.nop().signaled(0x5e000000L + i);
    }
    long at = buffer.address();
    send.request()
        .read(0, 0)
        .scatter(at, 20, LKEY)
        .scatter(at + 128, 100, LKEY)
        .signaled(0x5e000005L);
    send.request().compareAndSwap(0, 0, 1, 2).scatter(at, LKEY).signaled(0x5e000006L);
    send.request().fetchAndAdd(0, 0, 1).scatter(at, LKEY).signaled(0x5e000007L);
    send.ringDoorbell();
    return send;
  }

  private static ReceiveRing receives(TestMemory queues, TestMemory buffer, boolean three) {
    ReceiveRing receive =
        new ReceiveRing(
            new ReceiveRingLayout(queues.address() + 8192, 2, 6, QPN, queues.address() + 128, 0));
    long at = buffer.address();
    if (three) {
      receive
          .receive()
          .scatter(at, 10, LKEY)
          .scatter(at + 64, 30, LKEY)
          .scatter(at + 128, 50, LKEY)
          .post(0x4e000000L);
    } else {
      receive.receive().scatter(at, BUFFER, LKEY).post(0x4e000000L);
    }
    receive.ringDoorbell();
    return receive;
  }
}
