package dev.bluebell.conformance.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.WindowRights;
import dev.bluebell.verbs.ring.KeyRequest;
import dev.bluebell.verbs.ring.SendRing;
import java.util.Optional;

/** A request that changes a memory key: a window's, or one that refers to other keys. */
final class KeySpec {
  private static final String CONFIGURE = "mlx5dv_wr_mkey_configure(1)+set_mkey_";

  private final JsonNode request;
  private final String call;

  private KeySpec(JsonNode request, String call) {
    this.request = request;
    this.call = call;
  }

  /** Parses the request; empty for other kinds. */
  static Optional<KeySpec> of(JsonNode request) {
    String call =
        request.has("call") ? request.get("call").asText() : request.path("opcode").asText();
    return switch (call) {
      case "ibv_bind_mw",
          "BIND_MW",
          "LOCAL_INV",
          "mlx5dv_wr_mr_list",
          "mlx5dv_wr_mr_interleaved",
          CONFIGURE + "access_flags",
          CONFIGURE + "layout_list",
          CONFIGURE + "layout_interleaved" ->
          Optional.of(new KeySpec(request, call));
      default -> Optional.empty();
    };
  }

  /** The SEND that the recorder posts after a layout: always the same 64 bytes, signalled. */
  static JsonNode sendBehind() {
    ObjectNode send = JsonNodeFactory.instance.objectNode();
    send.put("opcode", "SEND").put("wr_id", 0).putArray("send_flags").add("SIGNALED");
    send.putArray("sge")
        .addObject()
        .put("addr", "0x00007f1122330000")
        .put("length", 64)
        .put("lkey", "0x00a0b000");
    return send;
  }

  /** Posts it. */
  void post(SendRing ring, boolean signalAll) {
    KeyRequest built = build(new KeyRequest(ring));
    if (isFlagged("FENCE")) {
      built.fence();
    }
    long id = request.has("wr_id") ? Numbers.number(request, "wr_id") : 0;
    // Calls without flags are recorded signalled.
    if (signalAll || !request.has("send_flags") || isFlagged("SIGNALED")) {
      built.signaled(id);
    } else {
      built.unsignaled(id);
    }
  }

  private boolean isFlagged(String flag) {
    return request.path("send_flags").valueStream().anyMatch(each -> each.asText().equals(flag));
  }

  private KeyRequest build(KeyRequest key) {
    return switch (call) {
      case "ibv_bind_mw" -> bind(key, request);
      case "BIND_MW" -> bind(key, Numbers.member(request, "bind"));
      case "LOCAL_INV" -> key.invalidate(Numbers.integer(request, "invalidate_rkey"));
      case "mlx5dv_wr_mr_list" -> list(configure(key, true));
      case "mlx5dv_wr_mr_interleaved" -> interleaved(configure(key, true));
      case CONFIGURE + "access_flags" -> configure(key, true);
      case CONFIGURE + "layout_list" -> list(configure(key, false));
      default -> interleaved(configure(key, false));
    };
  }

  private KeyRequest bind(KeyRequest key, JsonNode memory) {
    int current = Numbers.integer(request, "mw_rkey_before");
    int next = Numbers.integer(request, "bind_rkey_new");
    boolean typeTwo = Numbers.integer(request, "mw_type") == 2;
    long length = Numbers.number(memory, "length");
    if (length == 0) {
      return key.unbind(current, next, typeTwo);
    }
    long address = Numbers.number(memory, "addr");
    boolean zeroBased =
        memory.path("access").valueStream().anyMatch(each -> each.asText().equals("ZERO_BASED"));
    return key.bind(current, next, typeTwo, rights(memory), zeroBased ? 0 : address)
        .piece(address, length, Numbers.integer(memory, "mr_lkey"));
  }

  private KeyRequest configure(KeyRequest key, boolean changesRights) {
    return key.configure(
        Numbers.integer(request, "mkey_lkey"), changesRights, changesRights ? rights(request) : 0);
  }

  private static long rights(JsonNode of) {
    return WindowRights.of(
            of.path("access")
                .valueStream()
                .map(JsonNode::asText)
                .filter(name -> !name.equals("ZERO_BASED"))
                .map(Access::valueOf)
                .toArray(Access[]::new))
        .bits();
  }

  private KeyRequest list(KeyRequest key) {
    for (JsonNode piece : Numbers.member(request, "sges")) {
      key.piece(
          Numbers.number(piece, "addr"),
          Numbers.number(piece, "length"),
          Numbers.integer(piece, "lkey"));
    }
    return key;
  }

  private KeyRequest interleaved(KeyRequest key) {
    key.repeat(Numbers.integer(request, "repeat_count"));
    for (JsonNode piece : Numbers.member(request, "entries")) {
      key.piece(
          Numbers.number(piece, "addr"),
          Numbers.integer(piece, "bytes_count"),
          Numbers.integer(piece, "bytes_skip"),
          Numbers.integer(piece, "lkey"));
    }
    return key;
  }
}
