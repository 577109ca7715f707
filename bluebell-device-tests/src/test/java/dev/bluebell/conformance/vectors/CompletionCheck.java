package dev.bluebell.conformance.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import java.util.ArrayList;
import java.util.List;

/**
 * Completions: the fields that the driver reads from entries, and the consumer index that it
 * writes.
 */
final class CompletionCheck implements VectorCheck {
  private static final int CQN = 0x404;
  private static final int QPN = 0x0a1b01;

  @Override
  public List<String> differences(JsonNode vector) {
    return vector.has("steps") ? stepped(vector) : polled(vector);
  }

  private static List<String> polled(JsonNode vector) {
    JsonNode entries = Numbers.member(vector, "cq_before");
    entries.forEach(CompletionCheck::requireFormat);
    List<RecordedCompletion> recorded =
        Numbers.member(vector, "wc").valueStream().map(RecordedCompletion::new).toList();
    CompletionModel queue =
        model(
            vector,
            Numbers.integer(vector, "qpn"),
            Numbers.integer(vector, "uidx"),
            Numbers.integer(vector, "srq") != 0);
    queue.fill(entries);
    List<String> differences = new ArrayList<>();
    compare(poll(queue, vector, differences), recorded, isRefused(vector), differences);
    compareIndex(queue, vector, differences);
    return differences;
  }

  private static CompletionModel model(
      JsonNode vector, int qpn, int userIndex, boolean sharedReceives) {
    JsonNode cq = Numbers.member(vector, "cq");
    return new CompletionModel(
        Numbers.integer(cq, "cqe_size"),
        Numbers.integer(cq, "cqe_cnt"),
        CQN,
        qpn,
        userIndex,
        sharedReceives);
  }

  private static void requireFormat(JsonNode entry) {
    byte[] bytes = Numbers.bytes(entry);
    long last = bytes[bytes.length - 1];
    if (Cqe.opcode(last) != CqeOpcode.INVALID && Cqe.format(last) != 0) {
      throw new UnsupportedVector("completions with inline data or compression");
    }
  }

  /** The results of polling until the queue is empty. */
  private record Polled(List<SeenCompletion> seen, boolean refused) {}

  /** Polls as often as the vector says, and otherwise once. */
  private static Polled poll(CompletionModel queue, JsonNode vector, List<String> differences) {
    List<SeenCompletion> seen = new ArrayList<>();
    int max = vector.path("poll_ne").asInt(Integer.MAX_VALUE);
    List<Integer> counts = new ArrayList<>();
    try {
      do {
        counts.add(queue.poll(completion -> seen.add(SeenCompletion.of(completion)), max));
      } while (counts.size() < vector.path("poll_ret").size());
    } catch (IllegalStateException e) {
      return new Polled(seen, true);
    }
    if (vector.has("poll_ret")) {
      List<Integer> recorded = vector.get("poll_ret").valueStream().map(JsonNode::asInt).toList();
      Numbers.compare("completions of each poll", counts, recorded, differences);
    }
    return new Polled(seen, false);
  }

  /** True when libmlx5 reports an error of the queue, or returns nothing for an entry. */
  private static boolean isRefused(JsonNode vector) {
    boolean failed = vector.path("poll_ret").path(0).asInt() < 0;
    JsonNode wc = vector.path("wc");
    return failed || !wc.isEmpty() && new RecordedCompletion(wc.get(wc.size() - 1)).isEmpty();
  }

  private static void compare(
      Polled polled, List<RecordedCompletion> recorded, boolean refused, List<String> differences) {
    if (polled.refused() != refused) {
      differences.add(
          refused
              ? "an entry was read of which libmlx5 tells nothing"
              : "an entry was refused that libmlx5 reads");
    }
    List<RecordedCompletion> told = recorded.stream().filter(wc -> !wc.isEmpty()).toList();
    int count = polled.seen().size();
    if (count != told.size()) {
      differences.add("%d completions, recorded %d".formatted(count, told.size()));
    }
    for (int i = 0; i < Math.min(count, told.size()); i++) {
      for (String difference : told.get(i).differences(polled.seen().get(i))) {
        differences.add("completion %d: %s".formatted(i, difference));
      }
    }
  }

  private static void compareIndex(
      CompletionModel queue, JsonNode recorded, List<String> differences) {
    Numbers.compare(
        "the consumer index",
        queue.consumerIndex(),
        Numbers.integer(recorded, "dbrec_set_ci"),
        differences);
  }

  private static List<String> stepped(JsonNode vector) {
    CompletionModel queue = model(vector, QPN, 0, false);
    List<String> differences = new ArrayList<>();
    int number = 0;
    for (JsonNode step : Numbers.member(vector, "steps")) {
      queue.fill(Numbers.member(step, "cq"));
      List<List<Long>> recorded =
          Numbers.member(step, "wr_id_byte_len")
              .valueStream()
              .map(pair -> List.of(Numbers.number(pair.path(0)), Numbers.number(pair.path(1))))
              .toList();
      List<List<Long>> seen =
          poll(queue, step, differences).seen().stream()
              .map(completion -> List.of(completion.id(), (long) completion.byteCount()))
              .toList();
      if (!seen.equals(recorded) || seen.size() != Numbers.integer(step, "ret")) {
        differences.add(
            "step %d: id and byte count %s, recorded %s".formatted(number, seen, recorded));
      }
      compareIndex(queue, step, differences);
      number++;
    }
    return differences;
  }
}
