package dev.bluebell.softnic.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.roce.packet.BthOpcode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Opcodes by service and work request, against packets that others sent. */
class OpcodesTest {
  private static final Map<String, Integer> CAPTURED_NAMES =
      Map.ofEntries(
          Map.entry("SEND_FIRST", BthOpcode.SEND_FIRST),
          Map.entry("SEND_MIDDLE", BthOpcode.SEND_MIDDLE),
          Map.entry("SEND_LAST", BthOpcode.SEND_LAST),
          Map.entry("SEND_LAST_IMM", BthOpcode.SEND_LAST_IMMEDIATE),
          Map.entry("SEND_ONLY", BthOpcode.SEND_ONLY),
          Map.entry("SEND_ONLY_IMM", BthOpcode.SEND_ONLY_IMMEDIATE),
          Map.entry("SEND_ONLY_INV", BthOpcode.SEND_ONLY_INVALIDATE),
          Map.entry("WRITE_FIRST", BthOpcode.WRITE_FIRST),
          Map.entry("WRITE_MIDDLE", BthOpcode.WRITE_MIDDLE),
          Map.entry("WRITE_LAST", BthOpcode.WRITE_LAST),
          Map.entry("WRITE_LAST_IMM", BthOpcode.WRITE_LAST_IMMEDIATE),
          Map.entry("WRITE_ONLY", BthOpcode.WRITE_ONLY),
          Map.entry("WRITE_ONLY_IMM", BthOpcode.WRITE_ONLY_IMMEDIATE),
          Map.entry("READ_REQ", BthOpcode.READ_REQUEST),
          Map.entry("READ_RESP_FIRST", BthOpcode.READ_RESPONSE_FIRST),
          Map.entry("READ_RESP_MIDDLE", BthOpcode.READ_RESPONSE_MIDDLE),
          Map.entry("READ_RESP_LAST", BthOpcode.READ_RESPONSE_LAST),
          Map.entry("READ_RESP_ONLY", BthOpcode.READ_RESPONSE_ONLY),
          Map.entry("ACK", BthOpcode.ACKNOWLEDGE),
          Map.entry("ATOMIC_ACK", BthOpcode.ATOMIC_ACKNOWLEDGE),
          Map.entry("CMP_SWAP", BthOpcode.COMPARE_SWAP),
          Map.entry("FETCH_ADD", BthOpcode.FETCH_ADD));

  @Test
  void opcodesAreThoseOfCapturedPackets() throws IOException {
    try (InputStream file = OpcodesTest.class.getResourceAsStream("captured_opcodes.tsv")) {
      List<String> lines =
          new String(file.readAllBytes(), StandardCharsets.UTF_8)
              .lines()
              .filter(line -> !line.startsWith("#"))
              .toList();
      assertThat(lines).hasSize(31);
      for (String line : lines) {
        String[] fields = line.split("\t", -1);
        int service = Opcodes.service(ServiceType.valueOf(fields[0]));
        assertThat(service | CAPTURED_NAMES.get(fields[1]))
            .as(line)
            .isEqualTo(Integer.parseInt(fields[2], 16));
      }
    }
  }

  @Test
  void theXrcServiceIsA0AndRawHasNoOpcodes() {
    assertThat(Opcodes.service(ServiceType.XRC)).isEqualTo(0xa0);
    assertThatThrownBy(() -> Opcodes.service(ServiceType.RAW))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("RAW has no BTH opcodes");
  }

  @ParameterizedTest
  @CsvSource({
    "00, SEND FIRST, SEND",
    "01, SEND, SEND",
    "02, SEND LAST, SEND",
    "03, SEND LAST IMMEDIATE, SEND_IMM",
    "04, SEND FIRST LAST, SEND",
    "05, SEND FIRST LAST IMMEDIATE, SEND_IMM",
    "06, WRITE FIRST, RDMA_WRITE",
    "07, WRITE, RDMA_WRITE",
    "08, WRITE LAST, RDMA_WRITE",
    "09, WRITE LAST IMMEDIATE, RDMA_WRITE_IMM",
    "0a, WRITE FIRST LAST, RDMA_WRITE",
    "0b, WRITE FIRST LAST IMMEDIATE, RDMA_WRITE_IMM",
    "0c, FIRST LAST ANSWERED, RDMA_READ",
    "0d, FIRST RESPONSE READ_RESPONSE, response",
    "0e, RESPONSE READ_RESPONSE, response",
    "0f, LAST RESPONSE READ_RESPONSE, response",
    "10, FIRST LAST RESPONSE READ_RESPONSE, response",
    "11, FIRST LAST RESPONSE, response",
    "12, FIRST LAST RESPONSE, response",
    "13, FIRST LAST ANSWERED, ATOMIC_CS",
    "14, FIRST LAST ANSWERED, ATOMIC_FA",
    "16, SEND LAST INVALIDATE, SEND_INVAL",
    "17, SEND FIRST LAST INVALIDATE, SEND_INVAL",
  })
  void anOperationIsOfItsKindInEachService(String operation, String traits, String name) {
    for (int service : new int[] {0x00, 0x20, 0x60, 0xa0}) {
      int opcode = service | Integer.parseInt(operation, 16);
      assertThat(traits(opcode)).isEqualTo(traits);
      assertThat(Opcodes.name(opcode)).isEqualTo(name);
      assertThat(BthOpcode.operation(opcode)).isEqualTo(opcode - service);
    }
  }

  private static String traits(int opcode) {
    List<String> traits = new ArrayList<>();
    add(traits, BthOpcode.isSend(opcode), "SEND");
    add(traits, BthOpcode.isWrite(opcode), "WRITE");
    add(traits, BthOpcode.isFirst(opcode), "FIRST");
    add(traits, BthOpcode.isLast(opcode), "LAST");
    add(traits, BthOpcode.isAnswered(opcode), "ANSWERED");
    add(traits, BthOpcode.isResponse(opcode), "RESPONSE");
    add(traits, BthOpcode.isReadResponse(opcode), "READ_RESPONSE");
    add(traits, BthOpcode.hasImmediate(opcode), "IMMEDIATE");
    add(traits, BthOpcode.hasInvalidate(opcode), "INVALIDATE");
    return String.join(" ", traits);
  }

  private static void add(List<String> traits, boolean is, String trait) {
    if (is) {
      traits.add(trait);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0x15, 0x18, 0x1f, 0x35, 0x7e})
  void reservedOperationsAreOfNoKind(int opcode) {
    assertThat(traits(opcode)).isEmpty();
    assertThat(Opcodes.name(opcode)).isEqualTo("0x%02x".formatted(opcode));
  }

  @Test
  void anOpcodeHasEightBits() {
    assertThat(Opcodes.isOf(0x004, ServiceType.RC)).isTrue();
    assertThat(Opcodes.isOf(0x104, ServiceType.RC)).isFalse();
    assertThat(Opcodes.isOf(-1, ServiceType.RC)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"04, RC", "24, UC", "64, UD", "a4, XRC", "44, 0x40", "c4, DCI", "e4, 0xe0"})
  void anOpcodeNamesItsService(String opcode, String service) {
    assertThat(Opcodes.serviceName(Integer.parseInt(opcode, 16))).isEqualTo(service);
  }

  @Test
  void anOpcodeIsOfOneService() {
    assertThat(Opcodes.isOf(0x04, ServiceType.RC)).isTrue();
    assertThat(Opcodes.isOf(0x24, ServiceType.RC)).isFalse();
    assertThat(Opcodes.isOf(0x24, ServiceType.UC)).isTrue();
    assertThat(Opcodes.isOf(0x64, ServiceType.UD)).isTrue();
    assertThat(Opcodes.isOf(0x64, ServiceType.UC)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "SEND, true, true, 4",
    "SEND, true, false, 0",
    "SEND, false, false, 1",
    "SEND, false, true, 2",
    "SEND_IMM, true, true, 5",
    "SEND_IMM, true, false, 0",
    "SEND_IMM, false, true, 3",
    "SEND_INVAL, true, true, 23",
    "SEND_INVAL, true, false, 0",
    "SEND_INVAL, false, true, 22",
    "RDMA_WRITE, true, true, 10",
    "RDMA_WRITE, true, false, 6",
    "RDMA_WRITE, false, false, 7",
    "RDMA_WRITE, false, true, 8",
    "RDMA_WRITE_IMM, true, true, 11",
    "RDMA_WRITE_IMM, true, false, 6",
    "RDMA_WRITE_IMM, false, true, 9",
  })
  void aPartOfAMessageHasTheOperationOfItsPlace(
      String request, boolean first, boolean last, int operation) {
    assertThat(Opcodes.part(wqeOpcode(request), first, last)).isEqualTo(operation);
  }

  private static int wqeOpcode(String request) {
    return switch (request) {
      case "SEND" -> WqeOpcode.SEND;
      case "SEND_IMM" -> WqeOpcode.SEND_IMM;
      case "SEND_INVAL" -> WqeOpcode.SEND_INVAL;
      case "RDMA_WRITE" -> WqeOpcode.RDMA_WRITE;
      default -> WqeOpcode.RDMA_WRITE_IMM;
    };
  }

  @Test
  void aPartOfAnAnswerHasTheOperationOfItsPlace() {
    assertThat(BthOpcode.readResponse(true, true)).isEqualTo(0x10);
    assertThat(BthOpcode.readResponse(true, false)).isEqualTo(0x0d);
    assertThat(BthOpcode.readResponse(false, false)).isEqualTo(0x0e);
    assertThat(BthOpcode.readResponse(false, true)).isEqualTo(0x0f);
  }
}
