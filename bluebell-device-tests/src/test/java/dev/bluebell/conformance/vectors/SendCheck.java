package dev.bluebell.conformance.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.conformance.vectors.SendBuilder.InlineSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Send requests: WQEBBs, doorbell record and doorbell writes. */
final class SendCheck implements VectorCheck {
  private static final InlineSource[] ONE_SOURCE = {InlineSource.ARRAY};
  private static final boolean[] STAGED = {false, true};

  /** The differences in the first way to build the requests that has some. */
  @Override
  public List<String> differences(JsonNode vector) {
    boolean inline = vector.findValue("inline_data") != null;
    for (InlineSource source : inline ? InlineSource.values() : ONE_SOURCE) {
      for (boolean staged : STAGED) {
        List<String> differences = differences(vector, source, staged);
        if (!differences.isEmpty()) {
          String way = "%s%s: ".formatted(source, staged ? ", staged" : "");
          return differences.stream().map(way::concat).toList();
        }
      }
    }
    return List.of();
  }

  private static List<String> differences(JsonNode vector, InlineSource source, boolean staged) {
    SendBuilder builder =
        new SendBuilder(
            Numbers.member(vector, "qp"),
            qpn(vector),
            Numbers.integer(vector, "start_index"),
            source,
            staged);
    int free = builder.freeWqebbs();
    Optional<String> refusal = post(builder, vector);
    List<String> differences = new ArrayList<>();
    int errno = Numbers.integer(vector, "ret");
    if (errno != 0 && refusal.isEmpty()) {
      differences.add("the request was built, and libmlx5 refused it with errno " + errno);
    }
    if (errno == 0 && refusal.isPresent()) {
      differences.add("the request was refused, and libmlx5 built it: " + refusal.get());
      return differences;
    }
    if (refusal.isEmpty()) {
      builder.compare(Numbers.member(vector, "wqebbs"), differences);
    } else {
      Numbers.compare("free WQEBBs", builder.freeWqebbs(), free, differences);
      String number = "0x%x".formatted(qpn(vector));
      Numbers.compare("QPN in the refusal", refusal.get().contains(number), true, differences);
      builder.ring();
    }
    compareRecord(vector, builder, differences);
    if (vector.has("uar")) {
      compareRegister(Numbers.member(vector, "uar"), builder.doorbells(), differences);
    }
    return differences;
  }

  /**
   * Number of the queue pair. In a raw request, libmlx5 keeps the number from the caller's bytes,
   * but the driver writes the queue pair's, so the queue pair gets the same number.
   */
  private static int qpn(JsonNode vector) {
    JsonNode first = Numbers.member(vector, "requests").path(0);
    return RawSpec.isRaw(first)
        ? RawSpec.of(first).qpn()
        : Numbers.integer(Numbers.member(vector, "qp"), "qpn");
  }

  /** Posts in the same number of calls as the vector; empty unless the builder refused. */
  private static Optional<String> post(SendBuilder builder, JsonNode vector) {
    boolean eachInItsCall = Numbers.member(vector, "api").asText().contains(" x");
    for (JsonNode request : Numbers.member(vector, "requests")) {
      Optional<String> refusal = postOne(builder, request);
      if (refusal.isPresent()) {
        return refusal;
      }
      if (eachInItsCall) {
        builder.ring();
      }
    }
    builder.ring();
    return Optional.empty();
  }

  private static Optional<String> postOne(SendBuilder builder, JsonNode request) {
    if (RawSpec.isRaw(request)) {
      return builder.post(RawSpec.of(request));
    }
    Optional<KeySpec> key = KeySpec.of(request);
    return key.isPresent() ? builder.post(key.get()) : builder.post(SendSpec.of(request));
  }

  private static void compareRecord(
      JsonNode vector, SendBuilder builder, List<String> differences) {
    if (!vector.has("dbrec")) {
      return;
    }
    int recorded = Numbers.integer(Numbers.member(vector, "dbrec"), "snd");
    // An unwritten record holds the queue's start index.
    int built = builder.record().orElse(Numbers.integer(vector, "start_index"));
    Numbers.compare("the doorbell record", built, recorded, differences);
  }

  /** The vectors hold the final state of the register, so compare the last write to each buffer. */
  private static void compareRegister(
      JsonNode recorded, List<Doorbell> written, List<String> differences) {
    if (recorded.size() != written.size()) {
      differences.add(
          "%d buffers of the register were written, recorded %d"
              .formatted(written.size(), recorded.size()));
      return;
    }
    for (int i = 0; i < written.size(); i++) {
      JsonNode expected = recorded.get(i);
      Doorbell doorbell = written.get(i);
      String what = "the doorbell at %d".formatted(doorbell.offset());
      String shape =
          "%s at offset %d"
              .formatted(
                  Numbers.member(expected, "kind").asText(),
                  Numbers.integer(expected, "offset_from_bf_reg"));
      MaskedBytes bytes = MaskedBytes.of(expected);
      if (!doorbell.shape().equals(shape) || doorbell.bytes().length != bytes.length()) {
        differences.add(
            "%s is %s with %d bytes, recorded %s with %d"
                .formatted(what, doorbell.shape(), doorbell.bytes().length, shape, bytes.length()));
      } else {
        bytes.difference(what, doorbell.bytes()).ifPresent(differences::add);
      }
    }
  }
}
