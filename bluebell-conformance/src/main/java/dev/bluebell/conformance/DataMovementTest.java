package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.verbs.WorkOpcode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every opcode that carries data, with messages of all sizes. */
@Conformance
class DataMovementTest {
  private static final String SIZES = "dev.bluebell.conformance.Sizes#all";

  @ParameterizedTest
  @MethodSource(SIZES)
  void aSendFillsTheReceiverExactly(int size, Bench bench) {
    Transfer transfer = new Transfer(bench, size);
    transfer.postReceive();
    transfer.left().send(transfer.source(), transfer.sourceOffset(), size, 1);
    assertThat(transfer.left().awaitSuccess(1).opcode()).isEqualTo(WorkOpcode.SEND);
    Done received = transfer.right().awaitSuccess(Transfer.RECEIVE_ID);
    assertThat(received.opcode()).isEqualTo(WorkOpcode.RECEIVE);
    assertThat(received.byteCount()).isEqualTo(size);
    assertThat(received.hasImmediate()).isFalse();
    transfer.expectArrived();
  }

  @ParameterizedTest
  @MethodSource(SIZES)
  void aSendWithImmediateDeliversDataAndImmediate(int size, Bench bench) {
    Transfer transfer = new Transfer(bench, size);
    transfer.postReceive();
    transfer
        .left()
        .queuePair()
        .sendImmediate(0xfedcba98)
        .gather(transfer.from(), size, transfer.source().lkey())
        .signaled(2);
    transfer.left().queuePair().ringDoorbell();
    transfer.left().awaitSuccess(2);
    Done received = transfer.right().awaitSuccess(Transfer.RECEIVE_ID);
    assertThat(received.hasImmediate()).isTrue();
    assertThat(received.immediate()).isEqualTo(0xfedcba98);
    assertThat(received.byteCount()).isEqualTo(size);
    transfer.expectArrived();
  }

  @ParameterizedTest
  @MethodSource(SIZES)
  void aWriteChangesExactlyWhatItNames(int size, Bench bench) {
    Transfer transfer = new Transfer(bench, size);
    transfer
        .left()
        .write(
            transfer.source(),
            transfer.sourceOffset(),
            size,
            transfer.target(),
            transfer.targetOffset(),
            3);
    assertThat(transfer.left().awaitSuccess(3).opcode()).isEqualTo(WorkOpcode.RDMA_WRITE);
    transfer.expectArrived();
  }

  @ParameterizedTest
  @MethodSource(SIZES)
  void aWriteWithImmediateCompletesAtBothEnds(int size, Bench bench) {
    Transfer transfer = new Transfer(bench, size);
    transfer.right().receiveNothing(1, 77);
    transfer
        .left()
        .queuePair()
        .writeImmediate(transfer.to(), transfer.target().rkey(), 0x01020304)
        .gather(transfer.from(), size, transfer.source().lkey())
        .signaled(4);
    transfer.left().queuePair().ringDoorbell();
    transfer.left().awaitSuccess(4);
    Done received = transfer.right().awaitSuccess(77);
    assertThat(received.opcode()).isEqualTo(WorkOpcode.RECEIVE_RDMA_WITH_IMMEDIATE);
    assertThat(received.immediate()).isEqualTo(0x01020304);
    assertThat(received.byteCount()).isEqualTo(size);
    transfer.expectArrived();
  }

  @ParameterizedTest
  @MethodSource(SIZES)
  void aReadFetchesExactlyWhatItNames(int size, Bench bench) {
    Transfer transfer = new Transfer(bench, size);
    transfer
        .right()
        .read(
            transfer.source(),
            transfer.sourceOffset(),
            size,
            transfer.target(),
            transfer.targetOffset(),
            5);
    Done read = transfer.right().awaitSuccess(5);
    assertThat(read.opcode()).isEqualTo(WorkOpcode.RDMA_READ);
    assertThat(read.byteCount()).isEqualTo(size);
    transfer.expectArrived();
  }
}
