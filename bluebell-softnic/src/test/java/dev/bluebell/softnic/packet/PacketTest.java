package dev.bluebell.softnic.packet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.roce.packet.BthOpcode;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A packet's headers can be taken by another. */
class PacketTest {
  private static final List<String> PAYLOAD = List.of("payload", "payloadBytes");

  private static List<Field> headers() {
    return fields(Packet.class)
        .filter(field -> !PAYLOAD.contains(field.getName()))
        .filter(field -> field.getType() != MaskedOperands.class)
        .toList();
  }

  private static Stream<Field> fields(Class<?> type) {
    return Stream.of(type.getDeclaredFields())
        .filter(field -> !Modifier.isStatic(field.getModifiers()) && !field.isSynthetic());
  }

  private static Object unusual(Field field) {
    int number =
        3 + Stream.concat(headers().stream(), fields(MaskedOperands.class)).toList().indexOf(field);
    return switch (field.getType().getName()) {
      case "int" -> number;
      case "long" -> (long) number << 32;
      case "boolean" -> true;
      case "java.lang.String" -> "of " + field.getName();
      default -> throw new AssertionError("no value for a field like " + field);
    };
  }

  @Test
  void copyHeadersCopiesEveryFieldButThePayload() throws IllegalAccessException {
    Packet from = new Packet();
    for (Field field : headers()) {
      field.set(from, unusual(field));
    }
    for (Field field : fields(MaskedOperands.class).toList()) {
      field.set(from.masked, unusual(field));
    }
    from.payloadBytes = 99;
    from.payload.add(4096, 99);
    Packet to = new Packet();
    to.copyHeaders(from);
    for (Field field : headers()) {
      assertThat(field.get(to)).as(field.getName()).isEqualTo(unusual(field));
    }
    for (Field field : fields(MaskedOperands.class).toList()) {
      assertThat(field.get(to.masked)).as(field.getName()).isEqualTo(unusual(field));
    }
    assertThat(to.payloadBytes).isZero();
  }

  @Test
  void aPacketDescribesItsHeaders() {
    Packet packet = new Packet();
    packet.opcode = BthOpcode.WRITE_ONLY;
    packet.sourceQpn = 0x40;
    packet.destinationQpn = 0x41;
    packet.psn = 100;
    packet.packets = 2;
    packet.payloadBytes = 257;
    assertThat(packet)
        .hasToString("RDMA_WRITE from QP 0x40 to QP 0x41, PSN 0x000064, 2 packets, 257 bytes");
  }

  @Test
  void aNewPacketCountsAsOnePacket() {
    assertThat(new Packet().packets).isEqualTo(1);
  }
}
