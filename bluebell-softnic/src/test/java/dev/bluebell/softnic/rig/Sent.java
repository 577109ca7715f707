package dev.bluebell.softnic.rig;

import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.packet.Packet;
import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.Map;

/**
 * A copy of a packet that a route accepted.
 *
 * @param headers all fields but the payload
 * @param data the payload
 */
public record Sent(Packet headers, byte[] data) {
  private static final Map<Integer, String> OPERATIONS = operations();

  private static Map<Integer, String> operations() {
    Map<Integer, String> names = new HashMap<>();
    for (Field field : BthOpcode.class.getFields()) {
      if (field.getName().equals("RC")) {
        // A service, and as a number the first operation.
        continue;
      }
      try {
        names.put(field.getInt(null), field.getName());
      } catch (IllegalAccessException e) {
        throw new AssertionError(e);
      }
    }
    return names;
  }

  public static Sent headersOf(Packet packet) {
    Packet headers = new Packet();
    headers.copyHeaders(packet);
    return new Sent(headers, new byte[0]);
  }

  public static Sent of(Packet packet) {
    int bytes = packet.payloadBytes;
    LoneMemory copy = new LoneChip().memory(Math.max(bytes, 1));
    packet.payload.copyTo(copy.address(0), bytes);
    return new Sent(headersOf(packet).headers, copy.bytes(0, bytes));
  }

  public String operation() {
    return OPERATIONS.get(BthOpcode.operation(headers.opcode));
  }

  @Override
  public String toString() {
    return BthOpcode.isResponse(headers.opcode) ? response() : request();
  }

  private String request() {
    return "%s PSN %d+%d, %d bytes%s%s"
        .formatted(
            operation(),
            headers.psn,
            headers.packets,
            data.length,
            headers.acknowledge ? ", acknowledge" : "",
            headers.solicited ? ", solicited" : "");
  }

  private String response() {
    String what =
        switch (BthOpcode.operation(headers.opcode)) {
          case BthOpcode.ACKNOWLEDGE -> "syndrome 0x%02x".formatted(headers.syndrome);
          case BthOpcode.ATOMIC_ACKNOWLEDGE -> "result %d".formatted(headers.original);
          default -> "%d bytes".formatted(data.length);
        };
    return "%s PSN %d+%d, %s, MSN %d"
        .formatted(operation(), headers.psn, headers.packets, what, headers.msn);
  }
}
