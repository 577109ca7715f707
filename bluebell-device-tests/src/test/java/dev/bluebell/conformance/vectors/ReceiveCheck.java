package dev.bluebell.conformance.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.verbs.ReceiveLanding;
import dev.bluebell.verbs.ReceiveRequest;
import dev.bluebell.verbs.ring.ReceiveRing;
import dev.bluebell.verbs.ring.ReceiveRingLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Receive requests: WQEs and doorbell record. Each vector posts a request with all its entries,
 * then one with only the first.
 *
 * @param signed whether the requests have signatures
 */
record ReceiveCheck(boolean signed) implements VectorCheck {
  private static final int QPN = 0x0a1b01;

  @Override
  public List<String> differences(JsonNode vector) {
    int requests = Numbers.integer(vector, "rq_wqe_cnt");
    int stride = Numbers.integer(vector, "rq_stride");
    Scratch ring = Scratch.memory(requests * stride);
    Scratch record = Scratch.memory(DoorbellRecord.STRIDE);
    build(ring, record, requests, stride, Numbers.integer(vector, "start_index"), segments(vector));

    List<String> differences = new ArrayList<>();
    int counter = record.integer(DoorbellRecord.RECEIVE);
    Numbers.compare(
        "the doorbell record", counter, Numbers.integer(vector, "dbrec_rcv"), differences);
    ring.compare("request", stride, Numbers.member(vector, "wqes"), differences);
    return differences;
  }

  private static List<JsonNode> segments(JsonNode vector) {
    return Numbers.member(vector, "sges").valueStream().toList();
  }

  private void build(
      Scratch ring, Scratch record, int requests, int stride, int start, List<JsonNode> segments) {
    ReceiveRingLayout layout =
        new ReceiveRingLayout(
            ring.address(),
            Integer.numberOfTrailingZeros(requests),
            Integer.numberOfTrailingZeros(stride),
            QPN,
            record.address(),
            start,
            signed,
            false);
    ReceiveRing receive = new ReceiveRing(layout);
    post(receive.receive(), segments);
    post(receive.receive(), segments.subList(0, Math.min(1, segments.size())));
    receive.ringDoorbell();
  }

  /** Ends a request with the entries. */
  static void post(ReceiveLanding request, List<JsonNode> segments) {
    if (segments.isEmpty()) {
      request.empty().post(0);
      return;
    }
    ReceiveRequest stage = request.scatter(0, 0, 0);
    for (JsonNode segment : segments) {
      stage =
          stage.scatter(
              Numbers.number(segment, "addr"),
              Numbers.integer(segment, "length"),
              Numbers.integer(segment, "lkey"));
    }
    stage.post(0);
  }
}
