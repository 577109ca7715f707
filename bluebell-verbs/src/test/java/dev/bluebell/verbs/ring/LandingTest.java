package dev.bluebell.verbs.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.verbs.Bits128;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionStatus;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Data inside completions that cannot be copied to the memory of its request. The test plays the
 * device.
 */
class LandingTest {
  private static final int LKEY = 0x1200;
  private final SendBench bench = new SendBench(4, 256, false);
  private final TestMemory buffer = new TestMemory(64);

  @BeforeEach
  void register() {
    bench.memory.add(LKEY, buffer.address(), buffer.segment());
  }

  /** The device writes a completion with 32 bytes of data. */
  private void write(int opcode, int format, int sendOpcode, int counter, int bytes) {
    long cqe = bench.nextEntry();
    for (int i = 0; i < 4; i++) {
      Memory.putLong(cqe + 8L * i, 0x0102030405060708L);
    }
    int opOwn = Cqe.opOwn(opcode, false, 0) | format << 2;
    bench.write(opOwn, sendOpcode, SendBench.QPN, bench.userIndex, counter, 0, 0, bytes);
  }

  private void postReceive(int bytes, int lkey) {
    bench.receive.receive().scatter(buffer.address(), bytes, lkey).post(5);
    bench.receive.ringDoorbell();
  }

  @Test
  void aMessageThatIsLongerThanItsReceiveRequestFails() {
    postReceive(10, LKEY);
    write(CqeOpcode.RESP_SEND, 1, 0, 0, 11);
    Completion completion = bench.poll();
    assertThat(completion.status()).isEqualTo(CompletionStatus.LOCAL_LENGTH_ERROR);
    assertThat(completion.id()).isEqualTo(5);
    assertThat(completion.explanation()).contains("receive request of QP 0x1234", "no room");
    assertThat(bench.receive.freeRequests()).isEqualTo(8);
  }

  @Test
  void memoryThatIsNotRegisteredIsNeverWritten() {
    postReceive(32, LKEY + 1);
    write(CqeOpcode.RESP_SEND_IMM, 1, 0, 0, 8);
    Completion completion = bench.poll();
    assertThat(completion.status()).isEqualTo(CompletionStatus.LOCAL_PROTECTION_ERROR);
    assertThat(completion.explanation())
        .contains("not in a memory region", "LOCAL_WRITE")
        .contains("can't copy to an indirect region or a DMA-BUF");
    assertThat(buffer.bytes()).containsOnly(TestMemory.POISON);
  }

  @Test
  void aRangeThatLeavesItsRegionIsNeverWritten() {
    bench.send.request().read(0, 0).scatter(buffer.address() + 60, 8, LKEY).signaled(1);
    bench.send.ringDoorbell();
    write(CqeOpcode.REQ, 1, 0x10, 0, 8);
    assertThat(bench.poll().status()).isEqualTo(CompletionStatus.LOCAL_PROTECTION_ERROR);
    assertThat(buffer.bytes()).containsOnly(TestMemory.POISON);
    assertThat(bench.send.freeWqebbs()).isEqualTo(16);
  }

  @Test
  void aReasonIsReportedOnlyWithItsOwnCompletion() {
    postReceive(1, LKEY);
    write(CqeOpcode.RESP_SEND, 1, 0, 0, 2);
    assertThat(bench.poll().explanation()).contains("no room");
    bench.postSmall(1);
    bench.send.ringDoorbell();
    bench.fail(0, 4);
    assertThat(bench.poll().explanation()).doesNotContain("no room");
  }

  @Test
  void wideAtomicsLandInTheirWholeLength() {
    bench
        .send
        .request()
        .maskedFetchAndAdd16(0, 0, Bits128.ZERO, Bits128.ZERO)
        .scatter(buffer.address(), LKEY)
        .signaled(1);
    bench
        .send
        .request()
        .maskedFetchAndAdd4(0, 0, 1, 0)
        .scatter(buffer.address() + 32, LKEY)
        .signaled(2);
    bench
        .send
        .request()
        .maskedFetchAndAdd8(0, 0, 1, 0)
        .scatter(buffer.address() + 40, LKEY)
        .signaled(3);
    bench.send.ringDoorbell();
    write(CqeOpcode.REQ, 1, 0x15, 0, 16);
    write(CqeOpcode.REQ, 1, 0x15, 2, 4);
    write(CqeOpcode.REQ, 1, 0x15, 3, 8);
    assertThat(bench.poll().isSuccess()).isTrue();
    assertThat(bench.poll().isSuccess()).isTrue();
    assertThat(bench.poll().isSuccess()).isTrue();
    assertThat(buffer.hex(0, 20)).isEqualTo("01020304050607080102030405060708" + "eeeeeeee");
    assertThat(buffer.hex(32, 8)).isEqualTo("01020304" + "eeeeeeee");
    assertThat(buffer.segment().get(ValueLayout.JAVA_LONG, 40)).isEqualTo(0x0102030405060708L);
  }

  @Test
  void dataAcrossTheEndOfTheRingIsFound() {
    SendBench end = new SendBench(3, 256, false, 4, 7);
    end.memory.add(LKEY, buffer.address(), buffer.segment());
    end.send
        .request()
        .read(0, 0)
        .scatter(buffer.address(), 1, LKEY)
        .scatter(buffer.address() + 2, 1, LKEY)
        .scatter(buffer.address() + 4, 1, LKEY)
        .signaled(1);
    end.send.ringDoorbell();
    Memory.putLong(end.nextEntry(), 0x0102030405060708L);
    int opOwn = Cqe.opOwn(CqeOpcode.REQ, false, 0) | 1 << 2;
    end.write(opOwn, 0x10, SendBench.QPN, end.userIndex, 7, 0, 0, 3);
    assertThat(end.poll().isSuccess()).isTrue();
    assertThat(buffer.hex(0, 6)).isEqualTo("01ee02ee03ee");
  }

  @Test
  void invalidCompletionsAreRefused() {
    bench.postSmall(1);
    postReceive(32, LKEY);
    bench.send.ringDoorbell();
    write(CqeOpcode.REQ, 1, 0x08, 0, 8);
    assertThatIllegalStateException()
        .isThrownBy(bench::poll)
        .withMessageContaining("asked for none");
    write(CqeOpcode.RESP_SEND, 1, 0, 0, 33);
    assertThatIllegalStateException()
        .isThrownBy(bench::poll)
        .withMessageContaining("33 bytes in a completion of CQ");
    write(CqeOpcode.RESP_SEND, 1, 0, 0, -1);
    assertThatIllegalStateException().isThrownBy(bench::poll);
    // The 64 bytes are before the entry, where an entry of 64 bytes has nothing.
    write(CqeOpcode.RESP_SEND, 2, 0, 0, 8);
    assertThatIllegalStateException().isThrownBy(bench::poll).withMessageContaining("format 2");
    write(CqeOpcode.RESP_WR_IMM, 1, 0, 0, 8);
    assertThatIllegalStateException()
        .isThrownBy(bench::poll)
        .withMessageContaining("has data inside and opcode RESP_WR_IMM");
  }

  @Test
  void pendingRequestsAreReportedByTheirIds() {
    bench.postSmall(1);
    bench.send.request().write(0, 0).inline(new byte[100], 0, 100).unsignaled(2);
    bench.postSmall(3);
    bench.send.ringDoorbell();
    for (int i = 0; i < 3; i++) {
      bench.receive.receive().empty().post(10 + i);
    }
    bench.receive.ringDoorbell();
    assertThat(bench.send.pendingIds()).containsExactly(1, 2, 3);
    assertThat(bench.receive.pendingIds()).containsExactly(10, 11, 12);
    bench.complete(0);
    bench.completeReceive(CqeOpcode.RESP_SEND, 0);
    assertThat(bench.poll().id()).isEqualTo(1);
    assertThat(bench.poll().id()).isEqualTo(10);
    assertThat(bench.send.pendingIds()).containsExactly(2, 3);
    assertThat(bench.receive.pendingIds()).containsExactly(11, 12);
  }

  @Test
  void fillIsNotPending() {
    SendBench end = new SendBench(3, 256, true, 4, 7);
    end.send.request().write(0, 0).inline(new byte[100], 0, 100).signaled(1);
    assertThat(end.send.pendingIds()).containsExactly(1);
    assertThat(end.send.freeWqebbs()).isEqualTo(4);
  }
}
