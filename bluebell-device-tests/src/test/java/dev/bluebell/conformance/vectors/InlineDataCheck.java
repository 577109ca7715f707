package dev.bluebell.conformance.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.verbs.CqeCompression;
import dev.bluebell.verbs.ReceiveEnd;
import dev.bluebell.verbs.ReceiveLanding;
import dev.bluebell.verbs.ring.LocalMemory;
import dev.bluebell.verbs.ring.ReceiveRing;
import dev.bluebell.verbs.ring.ReceiveRingLayout;
import dev.bluebell.verbs.ring.Receives;
import dev.bluebell.verbs.ring.SendRing;
import dev.bluebell.verbs.ring.SendRingLayout;
import dev.bluebell.verbs.ring.SharedReceiveRing;
import dev.bluebell.verbs.ring.SharedReceiveRingLayout;
import dev.bluebell.verbs.ring.WorkQueues;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Completions with inline data: the fields that the driver reads, and the destination of the data.
 */
final class InlineDataCheck implements VectorCheck {
  private static final int CQN = 0x404;
  private static final int LKEY = 0x1200;
  private static final int BUFFER_BYTES = 256;
  private static final int LOG_REQUESTS = 4;
  private static final int LOG_STRIDE = 6;

  // Offsets in the memory of the queues.
  private static final int RECORD = 64;
  private static final int REGISTER = 512;
  private static final int SENDS = 1024;
  private static final int RECEIVES = 2048;
  private static final int QUEUE_BYTES = 3072;

  /** In the vectors, the number of the send request that each opcode completes. */
  private static final int NOPS = 5;

  @Override
  public List<String> differences(JsonNode vector) {
    Scratch buffer = Scratch.memory(BUFFER_BYTES);
    buffer.write(0, new byte[BUFFER_BYTES]);
    Scratch queues = Scratch.memory(QUEUE_BYTES);
    CompletionModel completions = completions(vector, queues, buffer);
    completions.fill(Numbers.member(vector, "cq_before"));
    List<SeenCompletion> seen = new ArrayList<>();
    try {
      int unused =
          completions.poll(
              completion -> seen.add(SeenCompletion.of(completion)), Integer.MAX_VALUE);
    } finally {
      // The rings keep only addresses.
      Reference.reachabilityFence(queues);
    }

    List<String> differences = new ArrayList<>();
    JsonNode wc = Numbers.member(vector, "wc");
    if (seen.size() != wc.size()) {
      return List.of("%d completions, recorded %d".formatted(seen.size(), wc.size()));
    }
    for (int i = 0; i < seen.size(); i++) {
      differences.addAll(new RecordedCompletion(wc.get(i)).differences(seen.get(i)));
    }
    Numbers.compare(
        "the consumer index",
        completions.consumerIndex(),
        Numbers.integer(vector, "dbrec_set_ci"),
        differences);
    HexFormat hex = HexFormat.of();
    String landed = hex.formatHex(buffer.bytes(0, BUFFER_BYTES));
    String recorded = hex.formatHex(landing(vector, seen.getFirst().isAtomic()));
    Numbers.compare("the data landed as", landed, recorded, differences);
    return differences;
  }

  /**
   * The expected contents of the buffer. libmlx5 leaves the result of an atomic in the byte order
   * of the entry; the driver converts it to that of memory.
   */
  private static byte[] landing(JsonNode vector, boolean atomic) {
    String member = vector.has("recv_buffers") ? "recv_buffers" : "local_buffers_of_send_wrs";
    byte[] bytes = Numbers.bytes(Numbers.member(vector, member).path(0), "bytes");
    if (bytes.length != BUFFER_BYTES) {
      throw new IllegalArgumentException(
          "its buffer does not have %d bytes".formatted(BUFFER_BYTES));
    }
    if (atomic && ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN) {
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      buffer.putLong(0, Long.reverseBytes(buffer.getLong(0)));
    }
    return bytes;
  }

  private static CompletionModel completions(JsonNode vector, Scratch queueMemory, Scratch buffer) {
    int qpn = Numbers.integer(vector, "qpn");
    LocalMemory memory = new LocalMemory();
    memory.add(LKEY, buffer.address(), buffer.segment());
    boolean one = Numbers.member(vector, "name").asText().contains("rsge1");
    Receives receives =
        Numbers.integer(vector, "srq") == 0
            ? receives(qpn, queueMemory, buffer, one)
            : sharedReceives(queueMemory, buffer, one);
    JsonNode cq = Numbers.member(vector, "cq");
    CompletionModel completions =
        new CompletionModel(
            Numbers.integer(cq, "cqe_size"),
            Numbers.integer(cq, "cqe_cnt"),
            CQN,
            CqeCompression.NONE,
            Cqc.MINI_CQE_CSUM,
            memory);
    completions.add(
        Numbers.integer(vector, "uidx"),
        new WorkQueues(qpn, sends(qpn, queueMemory, buffer), receives));
    return completions;
  }

  private static SendRing sends(int qpn, Scratch queueMemory, Scratch buffer) {
    SendRing send =
        new SendRing(
            SendRingLayout.of(
                queueMemory.address() + SENDS,
                LOG_REQUESTS,
                qpn,
                queueMemory.address() + RECORD,
                queueMemory.address() + REGISTER,
                64));
    long id = CompletionModel.FIRST_SEND;
    for (int i = 0; i < NOPS; i++) {
      send.nop().signaled(id++);
    }
    long at = buffer.address();
    send.request().read(0, 0).scatter(at, 20, LKEY).scatter(at + 128, 100, LKEY).signaled(id++);
    send.request().compareAndSwap(0, 0, 0, 0).scatter(at, LKEY).signaled(id++);
    send.request().fetchAndAdd(0, 0, 0).scatter(at, LKEY).signaled(id);
    send.ringDoorbell();
    return send;
  }

  private static ReceiveRing receives(int qpn, Scratch queueMemory, Scratch buffer, boolean one) {
    ReceiveRing receive =
        new ReceiveRing(
            new ReceiveRingLayout(
                queueMemory.address() + RECEIVES,
                LOG_REQUESTS,
                LOG_STRIDE,
                qpn,
                queueMemory.address() + RECORD,
                0));
    fill(receive.receive(), buffer, one).post(CompletionModel.FIRST_RECEIVE);
    receive.ringDoorbell();
    return receive;
  }

  /** In the vectors, the third request of a shared queue gets the message. */
  private static SharedReceiveRing sharedReceives(
      Scratch queueMemory, Scratch buffer, boolean one) {
    queueMemory.write(RECEIVES, new byte[1 << LOG_REQUESTS + LOG_STRIDE]);
    SharedReceiveRing receive =
        new SharedReceiveRing(
            new SharedReceiveRingLayout(
                queueMemory.address() + RECEIVES,
                LOG_REQUESTS,
                LOG_STRIDE,
                queueMemory.address() + RECORD,
                "the SRQ"));
    receive.receive().empty().post(CompletionModel.FIRST_RECEIVE);
    receive.receive().empty().post(CompletionModel.FIRST_RECEIVE + 1);
    fill(receive.receive(), buffer, one).post(CompletionModel.FIRST_RECEIVE + 2);
    receive.ringDoorbell();
    return receive;
  }

  private static ReceiveEnd fill(ReceiveLanding request, Scratch buffer, boolean one) {
    long at = buffer.address();
    return one
        ? request.scatter(at, BUFFER_BYTES, LKEY)
        : request.scatter(at, 10, LKEY).scatter(at + 64, 30, LKEY).scatter(at + 128, 50, LKEY);
  }
}
