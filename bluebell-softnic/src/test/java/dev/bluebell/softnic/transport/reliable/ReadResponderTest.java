package dev.bluebell.softnic.transport.reliable;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.rig.LoneEnd;
import dev.bluebell.softnic.rig.LoneKey;
import dev.bluebell.softnic.rig.LoneMemory;
import dev.bluebell.softnic.rig.Sent;
import dev.bluebell.softnic.translation.MemoryKey;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How an RC responder serves READs and atomics, and their duplicates. */
class ReadResponderTest extends ResponderRig {
  // ---- READs

  @Test
  void aReadIsAnsweredWithItsData() {
    memory.count(0, 100);
    read(PSN, 1, 5);
    responder.respond();
    Sent answer = end.route.take().getFirst();
    assertThat(answer).hasToString("READ_RESPONSE_ONLY PSN 1000+1, 5 bytes, MSN 1");
    assertThat(answer.data()).containsExactly(2, 3, 4, 5, 6);
    assertThat(answers()).isEmpty();
    assertThat(responder.expectedPsn()).isEqualTo(1001);
  }

  @Test
  void aLongReadIsAnsweredInTrains() {
    memory.count(0, 1 << 13);
    read(PSN, 0, 9 * MTU + 1);
    assertThat(responder.respond()).isEqualTo(3);
    List<Sent> answers = end.route.take();
    assertThat(answers)
        .hasToString(
            "[READ_RESPONSE_FIRST PSN 1000+4, 1024 bytes, MSN 1, READ_RESPONSE_MIDDLE PSN 1004+4,"
                + " 1024 bytes, MSN 1, READ_RESPONSE_LAST PSN 1008+2, 257 bytes, MSN 1]");
    assertThat(answers.get(1).data()).isEqualTo(memory.bytes(4 * MTU, 4 * MTU));
    assertThat(responder.expectedPsn()).isEqualTo(1010);
  }

  @Test
  void anEmptyReadNeedsNoKey() {
    Packet read = readRequest(PSN, 0, 0);
    read.rkey = 0xbad00;
    responder.receive(read);
    assertThat(answers()).containsExactly("READ_RESPONSE_ONLY PSN 1000+1, 0 bytes, MSN 1");
  }

  @Test
  void theAnswerOfAReadAcknowledgesEarlierRequests() {
    write(BthOpcode.WRITE_ONLY, PSN, 1, 0, 1);
    read(PSN + 1, 0, 4);
    assertThat(answers()).containsExactly("READ_RESPONSE_ONLY PSN 1001+1, 4 bytes, MSN 2");
  }

  @Test
  void withoutRreAReadIsRefused() {
    end.qpc.set(Qpc.RRE, false);
    restart();
    read(PSN, 0, 4);
    expectRefusal(
        1000,
        0x61,
        "opcode RDMA_READ needs rre, which QP 0x40 does not have (IBV_ACCESS_REMOTE_READ in its"
            + " qp_access_flags, which takes effect only if max_dest_rd_atomic is above 0)");
  }

  @Test
  void aReadWithoutTheKeysRightIsRefused() {
    memory.register(end.chip.keys(), new LoneKey().rights(MemoryKey.REMOTE_WRITE));
    read(PSN, 0, 4);
    expectRefusal(
        1000,
        0x62,
        "rkey 0x%x does not grant REMOTE_READ: it was registered with REMOTE_WRITE"
            .formatted(memory.key()));
  }

  @ParameterizedTest
  @ValueSource(longs = {(1L << 30) + 1, Long.MAX_VALUE, -1, Long.MIN_VALUE})
  void aReadOfMoreThanAMessageIsRefused(long length) {
    read(PSN, 0, length);
    expectRefusal(
        1000,
        0x61,
        "a READ asks for %d bytes, more than the 2^30 bytes of a message".formatted(length));
  }

  @Test
  void aReadWhoseKeyIsDestroyedBeforeTheAnswerIsRefused() {
    read(PSN, 0, 8 * MTU);
    end.route.room(1);
    responder.respond();
    end.chip.keys().remove(end.chip.keys().find(memory.key()));
    end.route.room(9);
    end.route.take();
    expectRefusal(
        1004,
        0x62,
        "rkey 0x%x does not name a memory key: no key has index 0x%x (was the region closed?)"
            .formatted(memory.key(), memory.key() >>> 8));
  }

  @Test
  void aReadThatFailsFlushesTheReceiveOfALaterSend() {
    end.receives.post(buffer, 0, 1000);
    read(PSN, 0, 8);
    send(BthOpcode.SEND_FIRST, PSN + 1, MTU);
    end.chip.keys().remove(end.chip.keys().find(memory.key()));
    expectRefusal(
        1000,
        0x62,
        "rkey 0x%x does not name a memory key: no key has index 0x%x (was the region closed?)"
            .formatted(memory.key(), memory.key() >>> 8));
    assertThat(end.receivesCompleted())
        .singleElement()
        .asString()
        .startsWith("RESP_ERR 0: WR_FLUSH_ERR 0xf9, QP 0x40 refused the request at PSN 0x0003e8");
    assertThat(end.chip.takeEvents()).containsExactly("WQ_ACCESS_ERROR of 0x40");
  }

  @Test
  void noMoreReadsAreServedThanTheContextSays() {
    for (int i = 0; i < 4; i++) {
      read(PSN + i, 0, 4);
    }
    read(PSN + 4, 0, 4);
    expectRefusal(
        1004,
        0x61,
        "more READs and atomics are outstanding than the 4 that it serves (2^log_rra_max): the"
            + " requester's log_sra_max (max_rd_atomic) must not be larger");
  }

  @Test
  void aTurnAnswersAQuarterOfAMegabyte() {
    LoneMemory large = end.chip.memory(1 << 20, MemoryKey.REMOTE_READ);
    Packet read = readRequest(PSN, 0, 1 << 20);
    read.address = large.address(0);
    read.rkey = large.key();
    responder.receive(read);
    assertThat(responder.respond()).isEqualTo(256);
    assertThat(end.route.take()).hasSize(256);
  }

  @Test
  void aReadMayAskForAWholeMessageAndNotMore() {
    Packet read = readRequest(PSN, 0, 1L << 30);
    responder.receive(read);
    expectRefusal(
        1000,
        0x62,
        "address 0x%x with byte_count 1073741824 reaches outside the region of rkey 0x%x, which is [0x%x, 0x%x)"
            .formatted(
                memory.address(0), memory.key(), memory.address(0), memory.address(1 << 13)));
  }

  // ---- duplicates of answered requests

  @Test
  void aDuplicateReadIsAnsweredAgain() {
    read(PSN, 0, 4);
    answers();
    memory.count(0, 4);
    read(PSN, 0, 4);
    responder.respond();
    Sent again = end.route.take().getFirst();
    assertThat(again).hasToString("READ_RESPONSE_ONLY PSN 1000+1, 4 bytes, MSN 1");
    assertThat(again.data()).containsExactly(1, 2, 3, 4);
    assertThat(responder.expectedPsn()).isEqualTo(1001);
  }

  @Test
  void aReadCanBeAskedForAgainFromItsMiddle() {
    memory.count(0, 1 << 12);
    read(PSN, 0, 6 * MTU);
    answers();
    read(PSN + 3, 3 * MTU, 3 * MTU);
    responder.respond();
    List<Sent> again = end.route.take();
    assertThat(again).hasToString("[READ_RESPONSE_ONLY PSN 1003+3, 768 bytes, MSN 1]");
    assertThat(again.getFirst().data()).isEqualTo(memory.bytes(3 * MTU, 3 * MTU));
  }

  @Test
  void aReadThatIsAskedForAgainIsAnsweredAlone() {
    read(PSN, 0, 1);
    read(PSN + 1, 0, 2);
    read(PSN + 2, 0, 3);
    answers();
    read(PSN + 1, 0, 2);
    assertThat(answers()).containsExactly("READ_RESPONSE_ONLY PSN 1001+1, 2 bytes, MSN 3");
  }

  @Test
  void aRepeatedReadIsAnsweredOnlyInTheRequestedRange() {
    read(PSN, 0, 6 * MTU);
    answers();
    read(PSN + 1, MTU, 2 * MTU);
    assertThat(answers()).containsExactly("READ_RESPONSE_ONLY PSN 1001+2, 512 bytes, MSN 1");
    read(PSN + 1, MTU, 6 * MTU);
    assertThat(answers()).isEmpty();
    read(PSN + 1, 2 * MTU, 2 * MTU);
    assertThat(answers()).isEmpty();
  }

  @Test
  void aDuplicateThatIsNotRememberedIsDropped() {
    for (int i = 0; i < 5; i++) {
      read(PSN + i, 0, 4);
      answers();
    }
    read(PSN, 0, 4);
    assertThat(answers()).isEmpty();
    assertThat(end.chip.recorded()).last().isEqualTo("QP 0x40 dropped a packet, PSN 0x0003e8");
    read(PSN + 1, 0, 4);
    assertThat(answers()).containsExactly("READ_RESPONSE_ONLY PSN 1001+1, 4 bytes, MSN 5");
  }

  @Test
  void aDuplicateWithAnotherKeyOrOpcodeIsDropped() {
    read(PSN, 0, 8);
    answers();
    Packet forged = readRequest(PSN, 0, 8);
    forged.rkey++;
    responder.receive(forged);
    assertThat(answers()).isEmpty();
    atomic(BthOpcode.FETCH_ADD, PSN, 0, 1, 0);
    assertThat(answers()).isEmpty();
    assertThat(Memory.getNativeLong(memory.address(0))).isZero();
  }

  @Test
  void aDuplicateBehindTheEndOfAReadIsDropped() {
    read(PSN, 0, 8);
    write(BthOpcode.WRITE_ONLY, PSN + 1, 1, 0, 1);
    answers();
    read(PSN + 1, 0, 8);
    assertThat(answers()).isEmpty();
  }

  @Test
  void aDuplicateAtomicIsAnsweredAgainAndNotExecuted() {
    Memory.putNativeLong(memory.address(8), 40);
    atomic(BthOpcode.FETCH_ADD, PSN, 8, 2, 0);
    assertThat(answers()).containsExactly("ATOMIC_ACKNOWLEDGE PSN 1000+1, result 40, MSN 1");
    atomic(BthOpcode.FETCH_ADD, PSN, 8, 2, 0);
    assertThat(answers()).containsExactly("ATOMIC_ACKNOWLEDGE PSN 1000+1, result 40, MSN 1");
    assertThat(Memory.getNativeLong(memory.address(8))).isEqualTo(42);
  }

  @Test
  void aDuplicateAtomicThatIsNotRememberedIsNeitherExecutedNorAnswered() {
    for (int i = 0; i < 5; i++) {
      atomic(BthOpcode.FETCH_ADD, PSN + i, 8, 1, 0);
      answers();
    }
    atomic(BthOpcode.FETCH_ADD, PSN, 8, 1, 0);
    assertThat(answers()).isEmpty();
    assertThat(Memory.getNativeLong(memory.address(8))).isEqualTo(5);
    atomic(BthOpcode.FETCH_ADD, PSN + 1, 8, 1, 0);
    assertThat(answers()).containsExactly("ATOMIC_ACKNOWLEDGE PSN 1001+1, result 1, MSN 5");
    assertThat(Memory.getNativeLong(memory.address(8))).isEqualTo(5);
  }

  // ---- atomics

  @Test
  void aSwapHappensWhenTheValueIsTheOneCompared() {
    Memory.putNativeLong(memory.address(8), 40);
    atomic(BthOpcode.COMPARE_SWAP, PSN, 8, 7, 41);
    atomic(BthOpcode.COMPARE_SWAP, PSN + 1, 8, 7, 40);
    atomic(BthOpcode.FETCH_ADD, PSN + 2, 8, -8, 0);
    assertThat(answers())
        .containsExactly(
            "ATOMIC_ACKNOWLEDGE PSN 1000+1, result 40, MSN 3",
            "ATOMIC_ACKNOWLEDGE PSN 1001+1, result 40, MSN 3",
            "ATOMIC_ACKNOWLEDGE PSN 1002+1, result 7, MSN 3");
    assertThat(Memory.getNativeLong(memory.address(8))).isEqualTo(-1);
  }

  @Test
  void withoutRaeAnAtomicIsRefused() {
    end.qpc.set(Qpc.RAE, false);
    restart();
    atomic(BthOpcode.FETCH_ADD, PSN, 8, 2, 0);
    expectRefusal(
        1000,
        0x61,
        "opcode ATOMIC_FA needs rae, which QP 0x40 does not have (IBV_ACCESS_REMOTE_ATOMIC in its"
            + " qp_access_flags, which takes effect only if max_dest_rd_atomic is above 0)");
  }

  @Test
  void anAtomicAtAnOddAddressIsRefused() {
    atomic(BthOpcode.COMPARE_SWAP, PSN, 4, 2, 0);
    expectRefusal(
        1000,
        0x61,
        "address 0x%x of an atomic is not a multiple of 8".formatted(memory.address(4)));
  }

  @Test
  void anAtomicWithoutItsRightIsRefused() {
    memory.register(end.chip.keys(), new LoneKey().rights(MemoryKey.REMOTE_READ));
    atomic(BthOpcode.FETCH_ADD, PSN, 8, 2, 0);
    expectRefusal(
        1000,
        0x62,
        "rkey 0x%x does not grant REMOTE_ATOMIC: it was registered with REMOTE_READ"
            .formatted(memory.key()));
    assertThat(Memory.getNativeLong(memory.address(8))).isZero();
  }

  @Test
  void anAtomicTooManyIsRefusedAndNotExecuted() {
    for (int i = 0; i < 5; i++) {
      atomic(BthOpcode.FETCH_ADD, PSN + i, 8, 1, 0);
    }
    expectRefusal(
        1004,
        0x61,
        "more READs and atomics are outstanding than the 4 that it serves (2^log_rra_max): the"
            + " requester's log_sra_max (max_rd_atomic) must not be larger");
    assertThat(Memory.getNativeLong(memory.address(8))).isEqualTo(4);
  }

  @Test
  void anAtomicBehindAReadIsExecutedOnceTheReadIsAnswered() {
    read(PSN, 8, 8);
    atomic(BthOpcode.FETCH_ADD, PSN + 1, 8, 2, 0);
    atomic(BthOpcode.FETCH_ADD, PSN + 2, 8, 3, 0);
    assertThat(Memory.getNativeLong(memory.address(8))).isZero();
    atomic(BthOpcode.FETCH_ADD, PSN + 1, 8, 2, 0);
    assertThat(answers())
        .containsExactly(
            "READ_RESPONSE_ONLY PSN 1000+1, 8 bytes, MSN 3",
            "ATOMIC_ACKNOWLEDGE PSN 1001+1, result 0, MSN 3",
            "ATOMIC_ACKNOWLEDGE PSN 1002+1, result 2, MSN 3");
    atomic(BthOpcode.FETCH_ADD, PSN + 2, 8, 3, 0);
    assertThat(answers()).containsExactly("ATOMIC_ACKNOWLEDGE PSN 1002+1, result 2, MSN 3");
    assertThat(Memory.getNativeLong(memory.address(8))).isEqualTo(5);
  }

  @Test
  void anAtomicBehindAReadIsRefusedWhenItsKeyEndsMeanwhile() {
    read(PSN, 0, 0);
    atomic(BthOpcode.FETCH_ADD, PSN + 1, 8, 2, 0);
    int key = memory.key();
    end.chip.keys().remove(end.chip.keys().find(key));
    expectRefusal(
        1001,
        0x62,
        "rkey 0x%x does not name a memory key: no key has index 0x%x (was the region closed?)"
            .formatted(key, key >>> 8));
    assertThat(Memory.getNativeLong(memory.address(8))).isZero();
  }

  @Test
  void anAtomicBehindAReadThatItsKeyDoesNotAllowIsRefusedAtOnce() {
    memory.register(end.chip.keys(), new LoneKey().rights(MemoryKey.REMOTE_READ));
    read(PSN, 0, 8);
    atomic(BthOpcode.FETCH_ADD, PSN + 1, 8, 2, 0);
    expectRefusal(
        1001,
        0x62,
        "rkey 0x%x does not grant REMOTE_ATOMIC: it was registered with REMOTE_READ"
            .formatted(memory.key()));
  }

  @Test
  void keysOfThisQueuePairAloneAreServed() {
    memory.register(end.chip.keys(), new LoneKey().rights(REMOTE).qpn(LoneEnd.QPN));
    write(BthOpcode.WRITE_ONLY, PSN, 4, 0, 4);
    read(PSN + 1, 0, 4);
    atomic(BthOpcode.FETCH_ADD, PSN + 2, 8, 5, 0);
    assertThat(answers())
        .containsExactly(
            "READ_RESPONSE_ONLY PSN 1001+1, 4 bytes, MSN 3",
            "ATOMIC_ACKNOWLEDGE PSN 1002+1, result 0, MSN 3");
    assertThat(memory.bytes(0, 9)).containsExactly(1, 2, 3, 4, 0, 0, 0, 0, 5);
  }

  @Test
  void keysOfAnotherQueuePairAloneAreRefused() {
    memory.register(end.chip.keys(), new LoneKey().rights(REMOTE).qpn(LoneEnd.QPN + 1));
    atomic(BthOpcode.FETCH_ADD, PSN, 8, 5, 0);
    expectRefusal(
        1000,
        0x62,
        "rkey 0x%x is for QP 0x41 alone (qpn of the memory key; 0xffffff lets any queue pair use it), not for QP 0x40"
            .formatted(memory.key()));
  }

  // ---- room on the route

  @Test
  void anAnswerOfAReadWaitsForRoomAndGoesOn() {
    read(PSN, 0, 8 * MTU);
    end.route.room(1);
    assertThat(responder.respond()).isEqualTo(1);
    assertThat(end.route.texts())
        .containsExactly("READ_RESPONSE_FIRST PSN 1000+4, 1024 bytes, MSN 1");
    end.route.room(1);
    responder.respond();
    assertThat(end.route.texts())
        .containsExactly("READ_RESPONSE_LAST PSN 1004+4, 1024 bytes, MSN 1");
  }

  @Test
  void theResultOfAnAtomicWaitsForRoom() {
    end.route.room(0);
    atomic(BthOpcode.FETCH_ADD, PSN, 8, 1, 0);
    assertThat(responder.respond()).isZero();
    end.route.room(1);
    assertThat(answers()).containsExactly("ATOMIC_ACKNOWLEDGE PSN 1000+1, result 0, MSN 1");
  }
}
