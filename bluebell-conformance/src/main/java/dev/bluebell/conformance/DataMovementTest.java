package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.WorkOpcode;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every opcode that carries data, with messages of all sizes. */
@Conformance
class DataMovementTest {

  /** Sizes around every boundary: words, cache lines, inline data, path MTU, bursts. */
  static IntStream sizes() {
    return IntStream.of(0, 1, 31, 32, 33, 63, 64, 4095, 4096, 4097, 65535, 65536, 65537, 1 << 20);
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void aSendFillsTheReceiverExactly(int size, Bench bench) {
    Transfer transfer = new Transfer(bench, size);
    transfer.postReceive();
    transfer.send(1);
    assertThat(transfer.left().awaitSuccess(1).opcode()).isEqualTo(WorkOpcode.SEND);
    Done received = transfer.right().awaitSuccess(Transfer.RECEIVE_ID);
    assertThat(received.opcode()).isEqualTo(WorkOpcode.RECEIVE);
    assertThat(received.byteCount()).isEqualTo(size);
    assertThat(received.hasImmediate()).isFalse();
    transfer.expectArrived();
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void aSendWithImmediateDeliversDataAndImmediate(int size, Bench bench) {
    Transfer transfer = new Transfer(bench, size);
    transfer.postReceive();
    RcQueuePair left = transfer.left().queuePair();
    transfer.gather(left.sendImmediate(0xfedcba98)).signaled(2);
    transfer.left().complete(2);
    Done received = transfer.right().awaitSuccess(Transfer.RECEIVE_ID);
    assertThat(received.hasImmediate()).isTrue();
    assertThat(received.immediate()).isEqualTo(0xfedcba98);
    assertThat(received.byteCount()).isEqualTo(size);
    transfer.expectArrived();
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void aWriteChangesExactlyWhatItNames(int size, Bench bench) {
    Transfer transfer = new Transfer(bench, size);
    transfer.write(3);
    assertThat(transfer.left().awaitSuccess(3).opcode()).isEqualTo(WorkOpcode.RDMA_WRITE);
    transfer.expectArrived();
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void aWriteWithImmediateCompletesAtBothEnds(int size, Bench bench) {
    Transfer transfer = new Transfer(bench, size);
    transfer.right().receiveNothing(1, 77);
    RcQueuePair left = transfer.left().queuePair();
    transfer.gather(left.writeImmediate(transfer.to(), 0x01020304)).signaled(4);
    transfer.left().complete(4);
    Done received = transfer.right().awaitSuccess(77);
    assertThat(received.opcode()).isEqualTo(WorkOpcode.RECEIVE_RDMA_WITH_IMMEDIATE);
    assertThat(received.immediate()).isEqualTo(0x01020304);
    assertThat(received.byteCount()).isEqualTo(size);
    transfer.expectArrived();
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void aReadFetchesExactlyWhatItNames(int size, Bench bench) {
    Transfer transfer = new Transfer(bench, size);
    transfer.read(5);
    Done read = transfer.right().awaitSuccess(5);
    assertThat(read.opcode()).isEqualTo(WorkOpcode.RDMA_READ);
    assertThat(read.byteCount()).isEqualTo(size);
    transfer.expectArrived();
  }
}
