package dev.bluebell.verbs.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.wqe.WqeForm;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/** Queues that other queues enable. */
class ManagedRingTest {
  private static final int WQEBB = 64;
  private final SendBench bench = SendBench.managed();
  private final SendRing send = bench.send;
  private final ReceiveRing receive = bench.receive;

  private static MemorySegment image(int bytes) {
    byte[] image = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      image[i] = (byte) (i >>> 6);
    }
    return MemorySegment.ofArray(image);
  }

  // ---- requests that complete once

  @Test
  void aRequestCompletesAndGivesItsSpaceBackWithoutADoorbell() {
    bench.postSmall(5);
    bench.postSmall(6);
    bench.complete(1);
    assertThat(bench.poll().id()).isEqualTo(6);
    assertThat(send.freeWqebbs()).isEqualTo(16);
    assertThat(bench.record.bytes()).containsOnly(TestMemory.POISON);
    assertThat(bench.register.bytes()).containsOnly(TestMemory.POISON);
  }

  @Test
  void requestsGoRoundTheRingWithTheFillAtItsEnd() {
    for (int lap = 0; lap < 100; lap++) {
      // Three WQEBBs do not fit behind 15 of 16.
      send.request().write(0x1000, 7).inline(new byte[150], 0, 150).signaled(lap);
      bench.complete(send.producerIndex() - 3 & 0xffff);
      assertThat(bench.poll().id()).isEqualTo(lap);
    }
    assertThat(send.freeWqebbs()).isEqualTo(16);
  }

  @Test
  void completedAndUnpostedRequestsDoNotComplete() {
    bench.postSmall(5);
    bench.complete(0);
    assertThat(bench.poll().id()).isEqualTo(5);
    bench.complete(0);
    assertThatIllegalStateException()
        .isThrownBy(bench::poll)
        .withMessageContaining("at WQE index 0, where none is outstanding");
    bench.complete(3);
    assertThatIllegalStateException().isThrownBy(bench::poll).withMessageContaining("index 3");
  }

  @Test
  void aSlotIsForgottenBeforeTheNextLap() {
    for (int i = 0; i < 16; i++) {
      bench.postSmall(i);
    }
    bench.complete(15);
    assertThat(bench.poll().id()).isEqualTo(15);
    bench.complete(16);
    assertThatIllegalStateException().isThrownBy(bench::poll).withMessageContaining("index 16");
  }

  @Test
  void slotsOfLaterCompletionsAreForgottenToo() {
    for (int i = 0; i < 16; i++) {
      bench.postSmall(i);
    }
    bench.complete(0);
    bench.complete(15);
    assertThat(bench.poll().id()).isEqualTo(0);
    assertThat(bench.poll().id()).isEqualTo(15);
    bench.complete(17);
    assertThatIllegalStateException().isThrownBy(bench::poll).withMessageContaining("index 17");
  }

  @Test
  void aDoorbellRingsForAllPostedRequestsAndKeepsCompletionsChecked() {
    send.ringManaged();
    assertThat(bench.record.bytes()).containsOnly(TestMemory.POISON);
    bench.postSmall(5);
    bench.postSmall(6);
    send.ringManaged();
    assertThat(bench.record.hex(4, 4)).isEqualTo("00000002");
    assertThat(bench.register.hex(0, 8)).isEqualTo(bench.sendMemory.hex(64, 8));
    bench.complete(1);
    assertThat(bench.poll().id()).isEqualTo(6);
    // Another queue enables the next.
    bench.postSmall(7);
    bench.complete(2);
    assertThat(bench.poll().id()).isEqualTo(7);
    bench.complete(1);
    assertThatIllegalStateException().isThrownBy(bench::poll).withMessageContaining("index 1");
    assertThat(send.freeWqebbs()).isEqualTo(16);
  }

  @Test
  void aManagedQueueMayBeFullOfUnsignalledRequests() {
    for (int i = 0; i < 16; i++) {
      send.nop().unsignaled(i);
    }
    assertThat(send.freeWqebbs()).isZero();
    assertThat(send.pendingIds()).hasSize(16);
  }

  @Test
  void managedReceivesCompleteInTheirOrder() {
    receive.receive().scatter(0x1000, 8, 7).post(21);
    receive.receive().scatter(0x1000, 8, 7).post(22);
    bench.completeReceive(CqeOpcode.RESP_SEND, 0);
    bench.completeReceive(CqeOpcode.RESP_SEND, 1);
    assertThat(bench.poll().id()).isEqualTo(21);
    assertThat(bench.poll().id()).isEqualTo(22);
    assertThat(receive.freeRequests()).isEqualTo(8);
    bench.completeReceive(CqeOpcode.RESP_SEND, 1);
    assertThatIllegalStateException()
        .isThrownBy(bench::poll)
        .withMessageContaining("request 2 is the next");
    assertThat(bench.record.bytes()).containsOnly(TestMemory.POISON);
  }

  // ---- requests that wait and enable

  @Test
  void indicesHaveAsManyBitsAsTheirQueuesCount() {
    SendBench master = SendBench.ofSixteen();
    master.send.waitFor(0x405, -1).unsignaled(1);
    master.send.enableSends(0xabcdef, 0x12345).unsignaled(2);
    master.send.enableReceives(0xabcdef, -2).fence().signaled(3);
    assertThat(master.sendMemory.hex(0, 32))
        .isEqualTo("0000000f001234020000000000000000000000000000000000ffffff00000405");
    assertThat(master.sendMemory.hex(WQEBB, 32))
        .isEqualTo("0000011700123402000000000000000000000000000000000000234500abcdef");
    assertThat(master.sendMemory.hex(2 * WQEBB, 32))
        .isEqualTo("0000021600123402000000880000000000000000000000000000fffe00abcdef");
  }

  @Test
  void aWaitOnDataNamesItsMemory() {
    SendBench master = SendBench.ofSixteen();
    master
        .send
        .waitForValue(WqeForm.WAIT_ON_DATA, 0x11, 0x0a0b0c0d, 0x1122334455667788L, 5, -1)
        .signaled(1);
    assertThat(master.sendMemory.hex(0, 48))
        .isEqualTo(
            "0100000f001234030000000800000000"
                + "000000110a0b0c0d1122334455667788"
                + "0000000000000005ffffffffffffffff");
  }

  // ---- programs

  @Test
  void aKeptRequestCompletesAgainAndAgain() {
    bench.postSmall(5);
    bench.postSmall(6);
    send.keep();
    for (int lap = 0; lap < 5000; lap++) {
      bench.complete(16 * lap + 1 & 0xffff);
      assertThat(bench.poll().id()).isEqualTo(6);
    }
    assertThat(send.freeWqebbs()).isZero();
    assertThat(send.pendingIds()).isEmpty();
    assertThatIllegalStateException()
        .isThrownBy(send::nop)
        .withMessageContaining("holds a program: reset it");
    send.reset();
    bench.postSmall(7);
    bench.complete(0);
    assertThat(bench.poll().id()).isEqualTo(7);
  }

  @Test
  void anInstalledProgramIsCopiedByteByByteAndCompletesWithItsWqebbs() {
    MemorySegment image = image(4 * WQEBB);
    send.install(image);
    assertThat(bench.sendMemory.bytes(0, 4 * WQEBB))
        .isEqualTo(image.toArray(ValueLayout.JAVA_BYTE));
    assertThat(bench.sendMemory.bytes(4 * WQEBB, WQEBB)).containsOnly(TestMemory.POISON);
    bench.complete(2);
    bench.complete(0xfff3);
    assertThat(bench.poll().id()).isEqualTo(2);
    assertThat(bench.poll().id()).isEqualTo(3);
    assertThat(bench.record.bytes()).containsOnly(TestMemory.POISON);
  }

  @Test
  void aProgramFitsTheRingOrIsRefused() {
    for (int bytes : new int[] {0, 63, 17 * WQEBB}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> send.install(image(bytes)))
          .withMessageContaining("takes 1 to 16 WQEBBs");
    }
    bench.postSmall(1);
    assertThatIllegalStateException()
        .isThrownBy(() -> send.install(image(WQEBB)))
        .withMessageContaining("reset it");
    send.reset();
    send.install(image(16 * WQEBB));
    assertThatIllegalStateException().isThrownBy(() -> send.install(image(WQEBB)));
    send.close();
    assertThatIllegalStateException()
        .isThrownBy(() -> send.install(image(WQEBB)))
        .withMessageContaining("closed");
  }

  @Test
  void installingAProgramRingsForItsPostedEntries() {
    SendBench rung = SendBench.ofSixteen();
    MemorySegment image = image(4 * WQEBB);
    image.set(ValueLayout.JAVA_BYTE, 7, (byte) 5); // ds 5: two WQEBBs
    rung.send.install(image, 3);
    assertThat(rung.record.hex(4, 4)).isEqualTo("00000003");
    assertThat(rung.register.hex(0, 8)).isEqualTo("0202020202020202");
    assertThat(rung.send.isKept()).isTrue();
    for (int posted : new int[] {0, 5}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> SendBench.ofSixteen().send.install(image, posted))
          .withMessageContaining("can't be posted");
    }
  }

  @Test
  void nothingIsKeptWhileARequestIsHalfBuilt() {
    var half = send.request().send();
    assertThatIllegalStateException().isThrownBy(send::keep).withMessageContaining("half built");
    assertThatIllegalStateException().isThrownBy(() -> send.install(image(WQEBB)));
    half.signaled(1);
    var halfReceive = receive.receive();
    assertThatIllegalStateException().isThrownBy(receive::keep).withMessageContaining("half built");
    halfReceive.scatter(0x1000, 8, 7).post(1);
  }

  @Test
  void keptReceivesAreUsedAgainAndAgain() {
    receive.receive().scatter(0x1000, 8, 7).post(21);
    receive.receive().scatter(0x1000, 8, 7).post(22);
    receive.keep();
    for (int lap = 0; lap < 20; lap++) {
      bench.completeReceive(CqeOpcode.RESP_SEND, 8 * lap + 1 & 0xffff);
      assertThat(bench.poll().id()).isEqualTo(22);
    }
    assertThat(receive.freeRequests()).isZero();
    assertThat(receive.pendingIds()).isEmpty();
    assertThatIllegalStateException()
        .isThrownBy(receive::receive)
        .withMessageContaining("holds a program: reset it");
    receive.reset();
    assertThat(receive.freeRequests()).isEqualTo(8);
  }

  @Test
  void installedReceivesAreCopiedByteByByteAndCountedInTheDoorbellRecord() {
    SendBench rung = SendBench.ofSixteen();
    rung.receive.install(image(3 * 32), 0x10002);
    assertThat(rung.receiveMemory.hex(64, 8)).isEqualTo("0101010101010101");
    assertThat(rung.record.hex(0, 4)).isEqualTo("00000002");
    rung.completeReceive(CqeOpcode.RESP_SEND, 9);
    assertThat(rung.poll().id()).isEqualTo(1);

    receive.install(image(8 * 32), 2);
    assertThat(bench.record.bytes()).containsOnly(TestMemory.POISON);
  }

  @Test
  void aReceiveProgramFitsItsRingOrIsRefused() {
    for (int bytes : new int[] {0, 33, 9 * 32}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> receive.install(image(bytes), 1))
          .withMessageContaining("takes 1 to 8 requests of 32 bytes");
    }
    receive.receive().scatter(0x1000, 8, 7).post(1);
    assertThatIllegalStateException()
        .isThrownBy(() -> receive.install(image(32), 1))
        .withMessageContaining("reset it");
    receive.keep();
    receive.close();
    assertThatIllegalStateException()
        .isThrownBy(() -> receive.install(image(32), 1))
        .withMessageContaining("closed");
  }
}
