package dev.bluebell.softnic.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.doorbell.CqArm;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.rig.LoneChip;
import dev.bluebell.softnic.rig.LoneMemory;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Completion queues: the entries that they write, when they are full, and when they raise events.
 */
class CompletionQueueTest {
  private static final int CQN = 0x81;
  private static final int QPN = 0x40;
  private static final int USER = 0x123456;
  private static final int RECORD = 1024;

  private final LoneChip chip = new LoneChip();
  private final LoneMemory memory = chip.memory(2048);
  private CompletionQueue queue = make(2, false, false);

  private CompletionQueue make(int logSize, boolean large, boolean ignoreOverrun) {
    byte[] context =
        View.of(Cqc.STRUCTURE)
            .set(Cqc.LOG_CQ_SIZE, logSize)
            .set(Cqc.CQE_SZ, large ? Cqc.CQE_SZ_128_BYTES : Cqc.CQE_SZ_64_BYTES)
            .set(Cqc.OI, ignoreOverrun)
            .bytes();
    return new CompletionQueue(chip.chip(), CQN, context, memory.queue(0, RECORD));
  }

  private void consume(int index) {
    Memory.putInt(memory.address(RECORD) + DoorbellRecord.CQ_SET_CI, index);
  }

  private void setArm(int command) {
    Memory.putInt(memory.address(RECORD) + DoorbellRecord.CQ_ARM, command);
  }

  /** Writes the arm command and rings. */
  private void arm(int sequence, boolean solicitedOnly, int consumerIndex) {
    int command = CqArm.record(sequence, solicitedOnly, consumerIndex);
    setArm(command);
    queue.arm(command);
  }

  private boolean complete() {
    return queue.completeRequest(QPN, USER, WqeOpcode.SEND, 5, 0);
  }

  private void receive(boolean solicited) {
    assertThat(queue.completeReceive(CqeOpcode.RESP_SEND, QPN, USER, 0, 1, 8, 0, solicited))
        .isTrue();
  }

  private void fail() {
    assertThat(
            queue.completeError(
                CqeOpcode.REQ_ERR, QPN, USER, 0, 1, Syndrome.WR_FLUSH_ERR, 0xf9, "why"))
        .isTrue();
  }

  private String entry(long offset) {
    return HexFormat.of().formatHex(memory.bytes(offset, 64));
  }

  private long context(Field field) {
    return View.over(queue.currentContext()).get(field);
  }

  // ---- entries

  @Test
  void aRequestersCompletionHasItsOpcodeIndexLengthAndTime() {
    chip.at(0x1122334455667788L);
    assertThat(queue.completeRequest(QPN, USER, WqeOpcode.RDMA_READ, 0xabcd, 0x80000000)).isTrue();
    assertThat(entry(0))
        .isEqualTo(
            "00".repeat(32)
                + "0012345600000000"
                + "0000000080000000"
                + "1122334455667788"
                + "10000040abcd0000");
    assertThat(chip.recorded()).containsExactly("QP 0x40 completed WQE 43981 REQ");
  }

  @Test
  void aRespondersCompletionHasFlagsPathAndImmediate() {
    chip.at(9);
    assertThat(
            queue.completeReceive(
                CqeOpcode.RESP_SEND_IMM,
                QPN,
                USER,
                0x10000041L << 32 | 0x12_0034,
                7,
                -2,
                0xcafe0102,
                true))
        .isTrue();
    assertThat(queue.completeReceive(CqeOpcode.RESP_SEND, QPN, USER, 0, 8, 0, 0, false)).isTrue();
    assertThat(entry(0))
        .isEqualTo(
            "00".repeat(16)
                + "0012000000000034"
                + "1000004100000000"
                + "00123456cafe0102"
                + "00000000fffffffe"
                + "0000000000000009"
                + "0000004000070032");
    assertThat(entry(64)).as("the next, without a path").startsWith("00".repeat(32));
  }

  @Test
  void anErrorHasItsSyndromesAndItsExplanation() {
    queue.completeError(
        CqeOpcode.RESP_ERR, QPN, USER, 0x0a, 7, Syndrome.LOCAL_PROT_ERR, 0x51, "because");
    assertThat(entry(0))
        .isEqualTo(
            "00".repeat(32)
                + "0012345600000000"
                + "0000000000000000"
                + "0000000000005104"
                + "0a000040000784e2");
    assertThat(chip.chip().explanations().find(CQN, 0)).contains("because");
    assertThat(chip.recorded())
        .containsExactly(
            "QP 0x40 completed WQE 7 RESP_ERR LOCAL_PROT_ERR",
            "QP 0x40 WQE 7 ended in error\nbecause");
  }

  @Test
  void aRespondersCompletionIsRecorded() {
    receive(false);
    assertThat(chip.recorded()).containsExactly("QP 0x40 completed WQE 1 RESP_SEND");
  }

  @Test
  void anErrorWithoutATextIsNotExplained() {
    complete();
    queue.completeError(CqeOpcode.REQ_ERR, QPN, USER, 0, 7, Syndrome.WR_FLUSH_ERR, 0xf9, "");
    assertThat(chip.chip().explanations().find(CQN, 1)).isEmpty();
    assertThat(chip.explained()).isEmpty();
  }

  @Test
  void aTracedCompletionIsRecordedWhole() {
    chip.recorder().trace(true);
    complete();
    assertThat(chip.recorded().getFirst())
        .startsWith("QP 0x40 completed WQE 5 REQ\n")
        .contains("qpn")
        .contains("0x40");
  }

  @Test
  void theOwnerBitIsThePassOverTheRing() {
    for (int i = 0; i < 12; i++) {
      consume(i);
      assertThat(complete()).isTrue();
      assertThat(memory.bytes(64L * (i & 3) + 63, 1)).as("%d", i).containsExactly(i >> 2 & 1);
    }
  }

  @Test
  void anEntryOf128BytesHasTheCqeInItsSecondHalf() {
    queue = make(2, true, false);
    assertThat(queue.logStride()).isEqualTo(7);
    complete();
    complete();
    assertThat(entry(0)).isEqualTo("00".repeat(64));
    assertThat(entry(64)).endsWith("0a00004000050000");
    assertThat(entry(192)).endsWith("0a00004000050000");
  }

  // ---- room

  @Test
  void aRingHoldsItsEntriesUntilTheyAreConsumed() {
    assertThat(queue.room()).isEqualTo(4);
    for (int i = 0; i < 4; i++) {
      assertThat(queue.hasRoom()).isTrue();
      assertThat(complete()).isTrue();
    }
    assertThat(queue.hasRoom()).isFalse();
    assertThat(queue.room()).isZero();
    consume(3);
    assertThat(queue.hasRoom()).isTrue();
    assertThat(queue.room()).isEqualTo(3);
    assertThat(queue.unconsumed()).isEqualTo(1);
  }

  @Test
  void theConsumerIndexHas24Bits() {
    complete();
    consume(0xff000001);
    assertThat(queue.unconsumed()).isZero();
    assertThat(context(Cqc.CONSUMER_COUNTER)).isEqualTo(1);
  }

  @Test
  void anOverrunIsReportedOnceAndWritesNothing() {
    for (int i = 0; i < 4; i++) {
      complete();
    }
    memory.put(0, new byte[64]);
    assertThat(complete()).isFalse();
    assertThat(queue.completeReceive(CqeOpcode.RESP_SEND, QPN, USER, 0, 1, 8, 0, false)).isFalse();
    assertThat(
            queue.completeError(
                CqeOpcode.REQ_ERR, QPN, USER, 0, 1, Syndrome.WR_FLUSH_ERR, 0xf9, "why"))
        .isFalse();
    assertThat(entry(0)).isEqualTo("00".repeat(64));
    assertThat(chip.takeEvents()).containsExactly("CQ_ERROR of 0x81 syndrome 1");
    assertThat(chip.recorded()).last().isEqualTo("event CQ_ERROR of 0x81");
    assertThat(chip.explained())
        .containsExactly(
            "CQ 0x81 is overrun: its 4 entries are full (producer index 4, consumer index 0 in the"
                + " doorbell record); poll it more often or create it larger; a driver must write"
                + " the consumer index to the doorbell record after polls");
    assertThat(context(Cqc.STATUS)).isEqualTo(9);
    consume(4);
    assertThat(queue.hasRoom()).as("an overrun is permanent").isFalse();
    assertThat(queue.room()).isZero();
  }

  @Test
  void anOverrunNamesTheConsumerIndex() {
    complete();
    consume(1);
    for (int i = 0; i < 5; i++) {
      complete();
    }
    assertThat(chip.explained().getFirst())
        .endsWith(
            "(producer index 5, consumer index 1 in the doorbell record); poll it more often or"
                + " create it larger");
  }

  @Test
  void eachKindOfCompletionNotesAnOverrun() {
    for (int kind = 0; kind < 3; kind++) {
      queue = make(0, false, false);
      complete();
      switch (kind) {
        case 0 -> complete();
        case 1 -> queue.completeReceive(CqeOpcode.RESP_SEND, QPN, USER, 0, 1, 8, 0, false);
        default ->
            queue.completeError(CqeOpcode.REQ_ERR, QPN, USER, 0, 1, Syndrome.WR_FLUSH_ERR, 0, "");
      }
      assertThat(chip.takeEvents()).containsExactly("CQ_ERROR of 0x81 syndrome 1");
    }
  }

  @Test
  void aQueueThatIgnoresOverrunsWritesOverTheOldest() {
    queue = make(2, false, true);
    for (int i = 0; i < 9; i++) {
      assertThat(complete()).isTrue();
      assertThat(memory.bytes(64L * (i & 3) + 63, 1)).containsExactly(i >> 2 & 1);
    }
    assertThat(chip.takeEvents()).isEmpty();
    assertThat(queue.room()).isPositive();
    assertThat(context(Cqc.STATUS)).isZero();
    assertThat(context(Cqc.PRODUCER_COUNTER)).isEqualTo(9);
  }

  // ---- events

  @Test
  void anUnarmedQueueRaisesNothing() {
    complete();
    receive(true);
    fail();
    assertThat(chip.takeEvents()).isEmpty();
    assertThat(context(Cqc.ST)).isZero();
  }

  @Test
  void anArmedQueueRaisesOneEventForTheNextCompletion() {
    arm(0, false, 0);
    assertThat(chip.takeEvents()).isEmpty();
    assertThat(context(Cqc.ST)).isEqualTo(9);
    complete();
    assertThat(chip.takeEvents()).containsExactly("COMPLETION of 0x81");
    assertThat(chip.recorded()).last().isEqualTo("event COMPLETION of 0x81");
    assertThat(context(Cqc.ST)).isEqualTo(10);
    assertThat(context(Cqc.LAST_NOTIFIED_INDEX)).isEqualTo(1);
    complete();
    assertThat(chip.takeEvents()).isEmpty();
  }

  @Test
  void aQueueArmedForSolicitedWaitsForASolicitedCompletionOrAFailure() {
    arm(0, true, 0);
    assertThat(context(Cqc.ST)).isEqualTo(6);
    complete();
    receive(false);
    assertThat(chip.takeEvents()).isEmpty();
    receive(true);
    assertThat(chip.takeEvents()).containsExactly("COMPLETION of 0x81");
    consume(3);
    arm(1, true, 3);
    fail();
    assertThat(chip.takeEvents()).containsExactly("COMPLETION of 0x81");
  }

  @Test
  void armingReportsAnExistingCompletionAtOnce() {
    complete();
    arm(0, false, 0);
    assertThat(chip.takeEvents()).containsExactly("COMPLETION of 0x81");
  }

  @Test
  void aConsumedCompletionIsNotReported() {
    complete();
    arm(0, false, 1);
    assertThat(chip.takeEvents()).isEmpty();
    complete();
    assertThat(chip.takeEvents()).containsExactly("COMPLETION of 0x81");
  }

  @Test
  void aReportedCompletionIsNotReportedAgain() {
    arm(0, false, 0);
    complete();
    assertThat(chip.takeEvents()).hasSize(1);
    // Armed again before it polled.
    arm(1, false, 0);
    assertThat(chip.takeEvents()).isEmpty();
    complete();
    assertThat(chip.takeEvents()).hasSize(1);
  }

  @Test
  void armingForSolicitedIgnoresExistingOrdinaryCompletions() {
    receive(false);
    complete();
    arm(0, true, 0);
    assertThat(chip.takeEvents()).isEmpty();
    assertThat(context(Cqc.ST)).isEqualTo(6);
  }

  @Test
  void armingForSolicitedFindsAnExistingSolicitedCompletion() {
    receive(true);
    complete();
    complete();
    arm(0, true, 0);
    assertThat(chip.takeEvents()).hasSize(1);
  }

  @Test
  void armingForSolicitedLooksWhereTheRingWraps() {
    for (int i = 0; i < 3; i++) {
      complete();
    }
    consume(3);
    receive(true);
    complete();
    arm(0, true, 4);
    assertThat(chip.takeEvents()).as("the one behind the wrap is not solicited").isEmpty();
    arm(0, true, 3);
    assertThat(chip.takeEvents()).hasSize(1);
  }

  @Test
  void armingForSolicitedReadsNoEntry() {
    receive(true);
    complete();
    // Even if the ring has changed by now, the device knows what it wrote.
    Memory.putLong(memory.address(64 - Long.BYTES), 0);
    arm(0, true, 0);
    assertThat(chip.takeEvents()).hasSize(1);
  }

  @Test
  void armingForSolicitedFindsAnExistingFailure() {
    fail();
    complete();
    arm(0, true, 0);
    assertThat(chip.takeEvents()).hasSize(1);
  }

  @Test
  void aConsumedSolicitedCompletionIsNotFound() {
    receive(true);
    complete();
    arm(0, true, 1);
    assertThat(chip.takeEvents()).isEmpty();
  }

  @Test
  void aCommandWithAnotherSequenceNumberIsIgnored() {
    arm(1, false, 0);
    complete();
    assertThat(chip.takeEvents()).isEmpty();
    assertThat(chip.explained())
        .containsExactly(
            "CQ 0x81: arm command 0x10000000 is ignored: its arm_sn is 1 and the CQ has raised 0"
                + " events; increment arm_sn once for each event");
    arm(0, false, 0);
    assertThat(chip.takeEvents()).hasSize(1);
  }

  @Test
  void sequenceNumbersHaveTwoBits() {
    for (int i = 0; i < 9; i++) {
      arm(i, false, i);
      assertThat(complete()).isTrue();
      consume(i + 1);
      assertThat(chip.takeEvents()).as("%d", i).hasSize(1);
    }
    assertThat(chip.explained()).isEmpty();
  }

  @Test
  void aDoorbellBeforeItsRecordIsExplained() {
    queue.arm(CqArm.record(0, false, 1));
    complete();
    assertThat(chip.takeEvents()).isEmpty();
    assertThat(chip.explained())
        .containsExactly(
            "CQ 0x81: its doorbell rang with arm command 0x00000001, but its doorbell record holds"
                + " 0x00000000, so the queue is armed only if that is a later command with a"
                + " doorbell of its own; write the record before the doorbell");
  }

  @Test
  void aDoorbellBeforeItsRecordIsNotTakenForAnEarlierCommand() {
    arm(0, false, 0);
    complete();
    queue.arm(CqArm.record(1, false, 1));
    assertThat(chip.explained())
        .containsExactly(
            "CQ 0x81: its doorbell rang with arm command 0x10000001, but its doorbell record holds"
                + " 0x00000000; write the record before the doorbell");
  }

  @Test
  void aSecondCommandThatLooksLikeTheFirstRecordArmsByItsOwnDoorbell() {
    setArm(CqArm.record(0, false, 0));
    queue.arm(CqArm.record(0, true, 0));
    queue.arm(CqArm.record(0, false, 0));
    complete();
    assertThat(chip.takeEvents()).hasSize(1);
  }

  @Test
  void aCommandThatCrossesItsEventIsExplainedAsHarmless() {
    arm(0, true, 0);
    receive(true);
    arm(0, false, 0);
    assertThat(chip.takeEvents()).hasSize(1);
    assertThat(chip.explained())
        .containsExactly(
            "CQ 0x81: arm command 0x00000000 is ignored: its arm_sn is 0 and the CQ has raised 1"
                + " event; that is harmless if the last event has not been read yet; once it has,"
                + " increment arm_sn");
  }

  @Test
  void commandsThatCrossTheirEventsAreExplainedAtPowersOfTwo() {
    arm(0, true, 0);
    receive(true);
    for (int i = 0; i < 8; i++) {
      arm(0, false, 0);
    }
    assertThat(chip.explained()).hasSize(4).allMatch(line -> line.contains("that is harmless"));
  }

  @Test
  void theSameCommandMayRingTwice() {
    arm(0, false, 0);
    arm(0, false, 0);
    complete();
    assertThat(chip.takeEvents()).hasSize(1);
    assertThat(chip.explained()).isEmpty();
  }

  @Test
  void anotherQueuesDoorbellArmsAQueueWhoseRecordChanged() {
    setArm(CqArm.record(0, false, 1));
    queue.armUnrung();
    assertThat(context(Cqc.ST)).isEqualTo(9);
  }

  @Test
  void anotherQueuesDoorbellArmsByTheInitialRecordOnce() {
    queue.armUnrung();
    assertThat(context(Cqc.ST)).isEqualTo(9);
    complete();
    assertThat(chip.takeEvents()).hasSize(1);
    queue.armUnrung();
    complete();
    assertThat(chip.takeEvents()).isEmpty();
    assertThat(chip.explained()).isEmpty();
  }

  @Test
  void anInitialRecordArmsOnlyIfItIsAFirstCommand() {
    setArm(CqArm.record(2, false, 0));
    queue = make(2, false, false);
    queue.armUnrung();
    assertThat(context(Cqc.ST)).isZero();
    assertThat(chip.explained()).isEmpty();
  }

  // ---- commands

  @Test
  void aContextReportsTheCounters() {
    for (int i = 0; i < 3; i++) {
      complete();
    }
    consume(2);
    assertThat(context(Cqc.PRODUCER_COUNTER)).isEqualTo(3);
    assertThat(context(Cqc.CONSUMER_COUNTER)).isEqualTo(2);
    assertThat(context(Cqc.LAST_NOTIFIED_INDEX)).isZero();
    assertThat(context(Cqc.STATUS)).isZero();
    assertThat(context(Cqc.LOG_CQ_SIZE)).isEqualTo(2);
  }

  @Test
  void aResizedQueueEndsItsRingAndGoesOnInAnother() {
    complete();
    chip.at(77);
    queue.resize(memory.umem(), memory.address(512), 3);
    assertThat(entry(64)).endsWith("000000000000004d" + "0000000000000050");
    assertThat(context(Cqc.LOG_CQ_SIZE)).isEqualTo(3);
    complete();
    // The indices go on: entry 2 of the new ring, in pass 0 of 8 entries.
    assertThat(entry(512 + 128)).endsWith("0a00004000050000");
    assertThat(queue.room()).isEqualTo(8 - 3);
  }

  @Test
  void armingForSolicitedAfterAResizeReportsUnreadOldEntries() {
    complete();
    queue.resize(memory.umem(), memory.address(512), 3);
    complete();
    arm(0, true, 0);
    assertThat(chip.takeEvents()).as("entries of the old ring cannot be checked").hasSize(1);
  }

  @Test
  void armingForSolicitedAfterAResizeIgnoresConsumedOldEntries() {
    receive(true);
    queue.resize(memory.umem(), memory.address(512), 3);
    complete();
    arm(0, true, 2);
    assertThat(chip.takeEvents()).isEmpty();
  }

  @Test
  void aFullRingCantBeResized() {
    for (int i = 0; i < 4; i++) {
      complete();
    }
    assertThatThrownBy(() -> queue.resize(memory.umem(), memory.address(512), 3))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the ring has no room for the CQE that ends it");
  }

  @Test
  void moderationIsKeptInTheContext() {
    queue.moderate(
        View.of(Cqc.STRUCTURE).set(Cqc.CQ_PERIOD, 100).set(Cqc.CQ_MAX_COUNT, 20),
        List.of(Cqc.CQ_PERIOD, Cqc.CQ_MAX_COUNT));
    assertThat(context(Cqc.CQ_PERIOD)).isEqualTo(100);
    assertThat(context(Cqc.CQ_MAX_COUNT)).isEqualTo(20);
  }

  @Test
  void theUmemsAreInUseUntilTheQueueIsReleased() {
    assertThat(memory.umem().users()).isEqualTo(2);
    LoneMemory other = chip.memory(1024);
    queue.resize(other.umem(), other.address(0), 2);
    assertThat(memory.umem().users()).isEqualTo(1);
    assertThat(other.umem().users()).isEqualTo(1);
    queue.release();
    assertThat(memory.umem().users()).isZero();
    assertThat(other.umem().users()).isZero();
  }

  @Test
  void usersOfAQueueAreCounted() {
    queue.use(1);
    queue.use(1);
    queue.use(-1);
    assertThat(queue.users()).isEqualTo(1);
    assertThat(queue.number()).isEqualTo(CQN);
  }

  @Test
  void aQueueDescribesItsState() {
    complete();
    assertThat(queue)
        .hasToString(
            "CQ 0x81: 4 entries, producer index 1, 1 completion not polled, OK, not armed");
    arm(0, true, 1);
    assertThat(queue.toString()).endsWith("armed for solicited completions and failures only");
    for (int i = 0; i < 4; i++) {
      complete();
    }
    assertThat(queue)
        .hasToString(
            "CQ 0x81: 4 entries, producer index 4, 4 completions not polled, overrun, armed for"
                + " solicited completions and failures only");
  }
}
