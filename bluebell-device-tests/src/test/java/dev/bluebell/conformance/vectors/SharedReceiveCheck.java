package dev.bluebell.conformance.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.verbs.ring.SharedReceiveRing;
import dev.bluebell.verbs.ring.SharedReceiveRingLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Requests of shared receive queues: all entries before and after, and the doorbell record. Each
 * vector posts a request with all its entries, then one with only the first.
 *
 * <p>libmlx5 has as many additional entries after the queue's, for requests that wait for pages;
 * posting does not touch them, and the driver has none.
 */
final class SharedReceiveCheck implements VectorCheck {
  @Override
  public List<String> differences(JsonNode vector) {
    int stride = Numbers.integer(vector, "stride");
    int entries = Numbers.integer(vector, "tail") + 1;
    JsonNode before = Numbers.member(vector, "wqes_before");
    JsonNode after = Numbers.member(vector, "wqes_after");
    Scratch memory = Scratch.memory(entries * stride);
    memory.write(0, new byte[entries * stride]);
    Scratch record = Scratch.memory(DoorbellRecord.STRIDE);
    SharedReceiveRing receive =
        new SharedReceiveRing(
            new SharedReceiveRingLayout(
                memory.address(),
                Integer.numberOfTrailingZeros(entries),
                Integer.numberOfTrailingZeros(stride),
                record.address(),
                "the SRQ"));
    List<String> differences = new ArrayList<>();
    compare("before, ", memory, stride, entries, before, differences);

    List<JsonNode> segments = Numbers.member(vector, "sges").valueStream().toList();
    ReceiveCheck.post(receive.receive(), segments);
    ReceiveCheck.post(receive.receive(), segments.subList(0, Math.min(1, segments.size())));
    receive.ringDoorbell();

    compare("", memory, stride, entries, after, differences);
    for (int entry = entries; entry < after.size(); entry++) {
      if (!after.get(entry).equals(before.get(entry))) {
        differences.add("entry %d behind the queue was changed in the record".formatted(entry));
      }
    }
    int counter = record.integer(DoorbellRecord.RECEIVE);
    Numbers.compare("the doorbell record", counter, Numbers.integer(vector, "dbrec"), differences);
    return differences;
  }

  private static void compare(
      String when,
      Scratch memory,
      int stride,
      int entries,
      JsonNode recorded,
      List<String> differences) {
    byte[] all = new byte[stride];
    Arrays.fill(all, (byte) 0xff);
    for (int entry = 0; entry < entries; entry++) {
      new MaskedBytes(Numbers.bytes(recorded.path(entry)), all)
          .difference(
              "%sentry %d".formatted(when, entry), memory.bytes((long) entry * stride, stride))
          .ifPresent(differences::add);
    }
  }
}
