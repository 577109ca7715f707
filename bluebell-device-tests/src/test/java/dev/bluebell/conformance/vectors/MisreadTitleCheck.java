package dev.bluebell.conformance.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.verbs.CqeCompression;
import java.util.ArrayList;
import java.util.List;

/**
 * Compressed completions polled by libmlx5, which does not know compression: it takes the title for
 * one completion, and its count for the length. The driver reads all completions.
 */
final class MisreadTitleCheck implements VectorCheck {
  private static final int CQN = 0x404;

  @Override
  public List<String> differences(JsonNode vector) {
    JsonNode cq = Numbers.member(vector, "cq");
    CompletionModel queue =
        new CompletionModel(
            Numbers.integer(cq, "cqe_size"),
            Numbers.integer(cq, "cqe_cnt"),
            CQN,
            Numbers.integer(vector, "qpn"),
            Numbers.integer(vector, "uidx"),
            false,
            CqeCompression.BASIC);
    queue.fill(Numbers.member(vector, "cq_before"));
    List<SeenCompletion> seen = new ArrayList<>();
    int count = queue.poll(completion -> seen.add(SeenCompletion.of(completion)), 16);

    List<String> differences = new ArrayList<>();
    JsonNode misread = Numbers.member(vector, "wc").path(0);
    Numbers.compare("completions", count, Numbers.integer(misread, "byte_len"), differences);
    Numbers.compare("consumer index", queue.consumerIndex(), count, differences);
    for (int i = 0; i < seen.size(); i++) {
      SeenCompletion completion = seen.get(i);
      Numbers.compare("id", completion.id(), CompletionModel.FIRST_RECEIVE + i, differences);
      Numbers.compare("QPN", completion.qpn(), Numbers.integer(misread, "qp_num"), differences);
      Numbers.compare(
          "source QPN", completion.source().qpn(), Numbers.integer(misread, "src_qp"), differences);
      if (!completion.isReceive() || !completion.isSuccess()) {
        differences.add("completion %d is a %s".formatted(i, completion.opcode()));
      }
    }
    return differences;
  }
}
