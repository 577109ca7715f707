package dev.bluebell.conformance.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Arm commands of completion queues: doorbell record and register. */
final class ArmCheck implements VectorCheck {
  private static final int ENTRIES = 16;
  private static final int QPN = 0x0a1b01;

  @Override
  public List<String> differences(JsonNode vector) {
    int consumed = Numbers.integer(vector, "cons_index");
    if (consumed < 0 || consumed > ENTRIES) {
      throw new UnsupportedVector("arming after %d completions".formatted(consumed));
    }
    CompletionModel queue =
        new CompletionModel(Cqe.BYTES, ENTRIES, Numbers.integer(vector, "cqn"), QPN, 0, false);
    for (int i = 0; i < consumed; i++) {
      queue.write(i, receiveCompletion(i));
    }
    int polled = queue.poll(completion -> {}, ENTRIES);
    queue.arm(Numbers.integer(vector, "solicited_only") != 0);

    List<String> differences = new ArrayList<>();
    Numbers.compare("completions polled", polled, consumed, differences);
    Numbers.compare(
        "the consumer index",
        queue.consumerIndex(),
        Numbers.integer(vector, "dbrec_set_ci"),
        differences);
    Numbers.compare(
        "the arm command", queue.armCommand(), Numbers.integer(vector, "dbrec_arm"), differences);
    String register = HexFormat.of().formatHex(queue.armRegister());
    Numbers.compare(
        "the register", register, Numbers.member(vector, "uar_bytes").asText(), differences);
    return differences;
  }

  private static byte[] receiveCompletion(int index) {
    int opOwn = Cqe.opOwn(CqeOpcode.RESP_SEND, false, 0);
    return ByteBuffer.allocate(Cqe.BYTES)
        .putLong(Cqe.LAST_WORD, Cqe.lastWord(0, QPN, index, opOwn))
        .array();
  }
}
