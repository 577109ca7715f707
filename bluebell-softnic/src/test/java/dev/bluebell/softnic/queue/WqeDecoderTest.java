package dev.bluebell.softnic.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.AddressVector;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.rig.LoneChip;
import dev.bluebell.softnic.rig.LoneSendQueue;
import dev.bluebell.softnic.rig.Wqe;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Send WQEs are decoded once, by the table of forms. */
class WqeDecoderTest {
  private static final int QPN = 0xa1b01;
  private static final int[] MESSAGES = {
    WqeOpcode.NOP,
    WqeOpcode.SEND,
    WqeOpcode.SEND_IMM,
    WqeOpcode.RDMA_WRITE,
    WqeOpcode.RDMA_WRITE_IMM
  };

  private final LoneSendQueue ring = new LoneSendQueue(new LoneChip(), QPN, 5);
  private final SendWqe wqe = new SendWqe();
  private final Fault fault = new Fault();

  private static WqeDecoder decoder(ServiceType service) {
    return switch (service) {
      case UD -> new WqeDecoder(service, WqeOpcode.SEND, WqeOpcode.SEND_IMM);
      case UC -> new WqeDecoder(service, MESSAGES);
      default ->
          new WqeDecoder(
              service,
              WqeOpcode.NOP,
              WqeOpcode.SEND,
              WqeOpcode.SEND_IMM,
              WqeOpcode.SEND_INVAL,
              WqeOpcode.RDMA_WRITE,
              WqeOpcode.RDMA_WRITE_IMM,
              WqeOpcode.RDMA_READ,
              WqeOpcode.ATOMIC_CS,
              WqeOpcode.ATOMIC_FA);
    };
  }

  private void decode(Wqe posted) {
    decode(ServiceType.RC, posted, WqeDecoder.MAX_MESSAGE);
  }

  private void decode(ServiceType service, Wqe posted, long limit) {
    int index = ring.queue().nextIndex();
    ring.post(posted);
    assertThat(ring.queue().fetch(fault)).isEqualTo(SendQueue.Fetch.WQE);
    decoder(service).decode(ring.queue(), index, limit, wqe, fault);
  }

  private void expectFault(int syndrome, String explanation) {
    assertThat(fault.explanation()).isEqualTo(explanation);
    assertThat(fault.syndrome()).isEqualTo(syndrome);
    assertThat(fault.vendorSyndrome()).isZero();
    assertThat(wqe.bytes()).isZero();
  }

  // ---- what libmlx5 wrote

  @Test
  void wqesOfLibmlx5AreDecodedAsTheirRequests() throws IOException {
    List<String> lines;
    try (InputStream file = WqeDecoderTest.class.getResourceAsStream("golden_send_wqes.tsv")) {
      lines = new String(file.readAllBytes(), StandardCharsets.UTF_8).lines().skip(1).toList();
    }
    assertThat(lines).hasSizeGreaterThan(30);
    for (String line : lines) {
      String[] fields = line.split("\t", -1);
      LoneSendQueue queue = new LoneSendQueue(new LoneChip(), QPN, 5);
      byte[] bytes = HexFormat.of().parseHex(fields[2]);
      for (int i = 0; i < bytes.length; i++) {
        Memory.putByte(queue.at(0, i), bytes[i]);
      }
      queue.setRecord(ControlSegment.wqebbs(bytes.length / 16));
      queue.queue().look();
      queue.queue().fetch(fault);
      ServiceType service = ServiceType.valueOf(fields[0]);
      decoder(service).decode(queue.queue(), 0, WqeDecoder.MAX_MESSAGE, wqe, fault);
      assertThat(fault.explanation()).as(line).isEmpty();
      assertThat(describe(service)).as(line).isEqualTo(fields[1]);
      assertThat(wqe.ds()).isEqualTo(bytes.length / 16);
    }
  }

  /** All fields of the decoded WQE. */
  private String describe(ServiceType service) {
    int opcode = wqe.opcode();
    StringBuilder text = new StringBuilder(WqeOpcode.name(opcode));
    text.append(", %d bytes".formatted(wqe.bytes()));
    text.append(wqe.isSignaled() ? ", signaled" : "");
    text.append(wqe.isSolicited() ? ", solicited" : "");
    text.append(wqe.fence() == ControlSegment.FENCE_SMALL_AND_FENCE ? ", fenced" : "");
    if (wqe.immediate() != 0) {
      text.append(", immediate 0x%x".formatted(wqe.immediate()));
    }
    if (wqe.hasRemoteAddress()) {
      text.append(", at 0x%x by 0x%x".formatted(wqe.remoteAddress(), wqe.rkey()));
    }
    if (opcode == WqeOpcode.ATOMIC_CS) {
      text.append(", 0x%x for 0x%x".formatted(wqe.swapAdd(), wqe.compare()));
    }
    if (opcode == WqeOpcode.ATOMIC_FA) {
      text.append(", 0x%x more".formatted(wqe.swapAdd()));
    }
    if (service == ServiceType.UD) {
      long at = wqe.addressVector();
      text.append(
          ", to QP 0x%x with qkey 0x%x"
              .formatted(
                  AddressVector.qpn(Memory.getLong(at + AddressVector.DESTINATION_WORD)),
                  AddressVector.qkey(Memory.getLong(at + AddressVector.KEY_WORD))));
    }
    return text.toString();
  }

  // ---- fields

  @Test
  void theListLiesBehindTheFixedSegments() {
    decode(new Wqe(WqeOpcode.RDMA_WRITE).remote(0x1000, 7).data(0x2000, 8, 1).data(0x3000, 9, 2));
    long at = ring.queue().snapshot(0);
    assertThat(wqe.list()).isEqualTo(at + 32);
    assertThat(wqe.listEnd()).isEqualTo(at + 64);
    assertThat(wqe.bytes()).isEqualTo(17);
    assertThat(wqe.wqebbs()).isEqualTo(1);
    assertThat(wqe.isAnswered()).isFalse();
    assertThat(wqe.hasRemoteAddress()).isTrue();
  }

  @Test
  void readsAndAtomicsAreAnswered() {
    decode(new Wqe(WqeOpcode.RDMA_READ).remote(0x1000, 7).data(0x2000, 8, 1));
    assertThat(wqe.isAnswered()).isTrue();
    decode(new Wqe(WqeOpcode.ATOMIC_FA).remote(0x1000, 7).words(1, 0).data(0x2000, 8, 1));
    assertThat(wqe.isAnswered()).isTrue();
    decode(Wqe.nop());
    assertThat(wqe.isAnswered()).isFalse();
    assertThat(wqe.hasRemoteAddress()).isFalse();
    assertThat(wqe.bytes()).isZero();
    assertThat(wqe.index()).isEqualTo(2);
  }

  @Test
  void completionModesAreFieldsOfTheControlSegment() {
    decode(Wqe.nop().control(ControlSegment.CE_ON_ERROR));
    assertThat(wqe.isSignaled()).isFalse();
    decode(Wqe.nop().control(ControlSegment.CE_ON_FIRST_ERROR));
    assertThat(wqe.isSignaled()).isFalse();
    assertThat(wqe.completion()).isEqualTo(ControlSegment.CE_ON_FIRST_ERROR);
    decode(Wqe.nop().control(ControlSegment.CE_ALWAYS));
    assertThat(wqe.isSignaled()).isTrue();
    decode(Wqe.nop().control(ControlSegment.CE_ALWAYS_EVENT | ControlSegment.FENCE_STRONG | 2));
    assertThat(wqe.isSignaled()).isTrue();
    assertThat(wqe.fence()).isEqualTo(ControlSegment.FENCE_STRONG);
    assertThat(wqe.isSolicited()).isTrue();
    assertThat(wqe.control()).isEqualTo(0x6e);
  }

  @Test
  void anUnfetchedWqeHasOnlyAnIndex() {
    decode(new Wqe(WqeOpcode.RDMA_READ).remote(0x1000, 7).data(0x2000, 8, 1).immediate(5));
    wqe.decodeUnfetched(0x1234);
    assertThat(wqe.index()).isEqualTo(0x1234);
    assertThat(wqe.ds()).isZero();
    assertThat(wqe.wqebbs()).isZero();
    assertThat(wqe.bytes()).isZero();
    assertThat(wqe.isAnswered()).isFalse();
    assertThat(wqe.immediate()).isZero();
    assertThat(wqe.isSignaled()).isFalse();
  }

  @Test
  void aReadWithoutDataSegmentsReadsNoBytes() {
    decode(new Wqe(WqeOpcode.RDMA_READ).remote(0x1000, 7));
    assertThat(fault.isSet()).isFalse();
    assertThat(wqe.bytes()).isZero();
  }

  // ---- lengths

  @Test
  void aMessageMayHaveTwoToTheThirtyBytesAndNotOneMore() {
    decode(Wqe.send().data(0, 1 << 30, 1));
    assertThat(fault.isSet()).isFalse();
    assertThat(wqe.bytes()).isEqualTo(1 << 30);
    decode(Wqe.send().data(0, 1 << 30, 1).data(0, 1, 1));
    expectFault(
        Syndrome.LOCAL_LENGTH_ERR,
        "the byte_count of its data segments adds up to 1073741825, more than the 2^30 bytes of a"
            + " message");
  }

  @Test
  void aByteCountOfZeroMeansTwoGigabytes() {
    decode(Wqe.send().data(0, 0, 1));
    expectFault(
        Syndrome.LOCAL_LENGTH_ERR,
        "the byte_count of its data segments adds up to 2147483648, more than the 2^30 bytes of a"
            + " message; byte_count 0 means 2 GiB");
  }

  @Test
  void aDatagramHasItsOwnLimit() {
    decode(ServiceType.UD, datagram(256), 256);
    assertThat(fault.isSet()).isFalse();
    decode(ServiceType.UD, datagram(257), 256);
    expectFault(
        Syndrome.LOCAL_LENGTH_ERR,
        "the byte_count of its data segments adds up to 257, more than the 256 bytes of a datagram"
            + " (mtu)");
  }

  private static Wqe datagram(int bytes) {
    return Wqe.datagram(WqeOpcode.SEND, 0x60, 0, 1, Gid.ZERO).data(0, bytes, 1);
  }

  @Test
  void aMessageMayBeLimitedByItsQueuePair() {
    decode(ServiceType.UC, Wqe.send().data(0, 257, 1), 256);
    expectFault(
        Syndrome.LOCAL_LENGTH_ERR,
        "the byte_count of its data segments adds up to 257, more than the 256 bytes that"
            + " log_msg_max of the queue pair allows");
  }

  @Test
  void anAtomicNeedsOneSegmentOfEightBytes() {
    decode(new Wqe(WqeOpcode.ATOMIC_CS).remote(0, 7).words(1, 2).data(0, 8, 1));
    assertThat(fault.isSet()).isFalse();
    assertThat(wqe.bytes()).isEqualTo(8);
    decode(new Wqe(WqeOpcode.ATOMIC_CS).remote(0, 7).words(1, 2).data(0, 4, 1));
    expectFault(
        Syndrome.LOCAL_LENGTH_ERR,
        "an atomic needs exactly one data segment with byte_count 8 (ds 4), not 1 with byte_count"
            + " 4");
    decode(new Wqe(WqeOpcode.ATOMIC_FA).remote(0, 7).words(1, 2).data(0, 4, 1).data(0, 4, 1));
    expectFault(
        Syndrome.LOCAL_LENGTH_ERR,
        "an atomic needs exactly one data segment with byte_count 8 (ds 4), not 2 with byte_count"
            + " 8");
    decode(new Wqe(WqeOpcode.ATOMIC_FA).remote(0, 7).words(1, 2).data(0, 0, 1));
    expectFault(
        Syndrome.LOCAL_LENGTH_ERR,
        "an atomic needs exactly one data segment with byte_count 8 (ds 4), not 1 with byte_count"
            + " 0, which means 2 GiB");
    decode(new Wqe(WqeOpcode.ATOMIC_FA).remote(0, 7).words(1, 2));
    expectFault(
        Syndrome.LOCAL_LENGTH_ERR,
        "an atomic needs exactly one data segment with byte_count 8 (ds 4), not 0 with byte_count"
            + " 0");
  }

  @Test
  void inlineDataIsForRequestsThatSend() {
    decode(Wqe.send().inline(new byte[20]));
    assertThat(fault.isSet()).isFalse();
    assertThat(wqe.bytes()).isEqualTo(20);
    Wqe read = new Wqe(WqeOpcode.RDMA_READ).remote(0, 7);
    Wqe atomic = new Wqe(WqeOpcode.ATOMIC_FA).remote(0, 7).words(1, 0);
    for (Wqe answered : List.of(read, atomic)) {
      decode(answered.inline(new byte[8]));
      expectFault(
          Syndrome.LOCAL_QP_OP_ERR,
          "byte_count of a data segment has bit 31 set, which marks inline data, but this opcode"
              + " does not take inline data");
    }
  }

  // ---- forms

  @Test
  void anOpcodeThatTheQueueDoesNotExecuteIsAFault() {
    decode(ServiceType.UC, new Wqe(WqeOpcode.RDMA_READ).remote(0, 7), 1 << 30);
    expectFault(
        Syndrome.LOCAL_QP_OP_ERR,
        "opcode RDMA_READ is not supported by a UC send queue of this device");
    decode(new Wqe(WqeOpcode.UMR));
    expectFault(
        Syndrome.LOCAL_QP_OP_ERR, "opcode UMR is not supported by an RC send queue of this device");
    assertThat(wqe.opcode()).isEqualTo(WqeOpcode.UMR);
  }

  @ParameterizedTest
  @ValueSource(ints = {WqeOpcode.RDMA_WRITE, WqeOpcode.RDMA_WRITE_IMM, WqeOpcode.RDMA_READ})
  void aWqeWithoutAllFixedSegmentsIsAFault(int opcode) {
    decode(new Wqe(opcode));
    expectFault(
        Syndrome.LOCAL_QP_OP_ERR,
        "ds 1 is too small for opcode %s, whose fixed segments alone are 2 units of 16 bytes"
            .formatted(WqeOpcode.name(opcode)));
  }

  @ParameterizedTest
  @ValueSource(ints = {WqeOpcode.ATOMIC_CS, WqeOpcode.ATOMIC_FA})
  void anAtomicWithoutAllFixedSegmentsIsAFault(int opcode) {
    decode(new Wqe(opcode).remote(0, 7));
    expectFault(
        Syndrome.LOCAL_QP_OP_ERR,
        "ds 2 is too small for opcode %s, whose fixed segments alone are 3 units of 16 bytes"
            .formatted(WqeOpcode.name(opcode)));
  }

  @Test
  void anUnknownOpmodIsAFault() {
    decode(Wqe.send().opmod(3));
    expectFault(
        Syndrome.LOCAL_QP_OP_ERR, "opmod 3 is not valid for opcode SEND here; it must be 0");
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 6, 7})
  void reservedFenceModesAreAFault(int mode) {
    decode(Wqe.send().control(mode << 5 | 8));
    expectFault(
        Syndrome.LOCAL_QP_OP_ERR,
        "fm_ce_se 0x%02x has the fence mode %d, which is reserved".formatted(mode << 5 | 8, mode));
  }

  @Test
  void theHighestFenceModeIsNoFault() {
    decode(Wqe.send().control(ControlSegment.FENCE_SMALL_AND_FENCE | 8));
    assertThat(fault.isSet()).isFalse();
  }

  @Test
  void aDecoderIsMadeOnlyForOpcodesThatItsServiceHas() {
    assertThatThrownBy(() -> new WqeDecoder(ServiceType.UD, WqeOpcode.RDMA_WRITE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("UD has no request with opcode RDMA_WRITE");
  }
}
