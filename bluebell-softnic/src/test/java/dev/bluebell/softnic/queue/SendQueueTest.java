package dev.bluebell.softnic.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.rig.LoneChip;
import dev.bluebell.softnic.rig.LoneMemory;
import dev.bluebell.softnic.rig.LoneSendQueue;
import dev.bluebell.softnic.rig.Wqe;
import org.junit.jupiter.api.Test;

/** A send queue fetches each WQE as a whole, once, and frees its place when it is retired. */
class SendQueueTest {
  private static final int QPN = 0x40;

  private final LoneChip chip = new LoneChip();
  private final LoneSendQueue ring = new LoneSendQueue(chip, QPN, 4);
  private final SendQueue queue = ring.queue();
  private final Fault fault = new Fault();

  /** A NOP of this many units of 16 bytes, each with different bytes. */
  private static Wqe units(int ds) {
    Wqe wqe = Wqe.nop();
    for (int i = 1; i < ds; i++) {
      wqe.words(0x1000 + i, 0x2000 + i);
    }
    return wqe;
  }

  private void expectSnapshot(int index, int ds) {
    long at = queue.snapshot(index);
    for (int i = 1; i < ds; i++) {
      assertThat(Memory.getLong(at + 16L * i)).as("unit %d", i).isEqualTo(0x1000 + i);
      assertThat(Memory.getLong(at + 16L * i + 8)).as("unit %d", i).isEqualTo(0x2000 + i);
    }
  }

  // ---- the doorbell record

  @Test
  void aLookReportsWhetherTheRecordMoved() {
    assertThat(queue.look()).isFalse();
    ring.setRecord(3);
    assertThat(queue.pending()).isZero();
    assertThat(queue.look()).isTrue();
    assertThat(queue.look()).isFalse();
    assertThat(queue.pending()).isEqualTo(3);
    assertThat(queue.producer()).isEqualTo(3);
  }

  @Test
  void theRecordsUpperHalfIsIgnored() {
    ring.setRecord(2);
    Memory.putInt(ring.at(0, 0) + (64 << 4) + 4, 0xabcd_0005);
    queue.look();
    assertThat(queue.producer()).isEqualTo(5);
  }

  @Test
  void anUnrungRecordCountsFromTheSecondLookOn() {
    assertThat(queue.lookUnrung()).isFalse();
    ring.setRecord(1);
    assertThat(queue.lookUnrung()).isFalse();
    assertThat(queue.sweeps()).isZero();
    assertThat(queue.lookUnrung()).isTrue();
    assertThat(queue.sweeps()).isEqualTo(1);
    assertThat(queue.producer()).isEqualTo(1);
    assertThat(queue.lookUnrung()).isFalse();
  }

  @Test
  void aSweepStartsAnewForEachMove() {
    ring.setRecord(1);
    assertThat(queue.lookUnrung()).isFalse();
    assertThat(queue.lookUnrung()).isTrue();
    ring.setRecord(2);
    assertThat(queue.lookUnrung()).isFalse();
    assertThat(queue.lookUnrung()).isTrue();
    assertThat(queue.sweeps()).isEqualTo(2);
  }

  @Test
  void aRungLookEndsASweepThatHadBegun() {
    ring.setRecord(1);
    assertThat(queue.lookUnrung()).isFalse();
    assertThat(queue.look()).isTrue();
    ring.setRecord(2);
    assertThat(queue.lookUnrung()).isFalse();
    ring.setRecord(1);
    assertThat(queue.lookUnrung()).isFalse();
    ring.setRecord(2);
    assertThat(queue.lookUnrung()).isFalse();
    assertThat(queue.sweeps()).isZero();
  }

  @Test
  void anInitialRecordCountsOnlyOnceItsRequestChanged() {
    ring.setRecord(1);
    queue.begin();
    assertThat(queue.lookUnrung()).isFalse();
    assertThat(queue.lookUnrung()).isFalse();
    Memory.putInt(ring.at(0, 0) + 4, 0xabcd_0005);
    assertThat(queue.lookUnrung()).isFalse();
    assertThat(queue.lookUnrung()).isTrue();
  }

  @Test
  void aRecordThatMovedCountsWhenItReturnsToItsInitialValue() {
    ring.setRecord(2);
    queue.begin();
    ring.setRecord(1);
    assertThat(queue.lookUnrung()).isFalse();
    ring.setRecord(2);
    assertThat(queue.lookUnrung()).isTrue();
  }

  @Test
  void aDoorbellMakesAnInitialRecordCount() {
    ring.setRecord(1);
    queue.begin();
    assertThat(queue.look()).isTrue();
    assertThat(queue.producer()).isEqualTo(1);
  }

  @Test
  void aQueueMayRingAnywhereAtFirstAndThenWhereItEverRang() {
    assertThat(queue.mayRingOn(0)).isTrue();
    assertThat(queue.addRegister(1)).isFalse();
    assertThat(queue.mayRingOn(0)).isFalse();
    assertThat(queue.mayRingOn(1)).isTrue();
    assertThat(queue.addRegister(1)).isFalse();
    assertThat(queue.addRegister(0)).as("the queue rang on another register before").isTrue();
    assertThat(queue.mayRingOn(0)).isTrue();
    assertThat(queue.mayRingOn(1)).isTrue();
  }

  @Test
  void aPassedOverRequestWaitsForItsDoorbellOrALaterRequest() {
    long first = ControlSegment.first(0, 0, WqeOpcode.NOP, 1, 1);
    long second = ControlSegment.first(0, 1, WqeOpcode.NOP, 1, 1);
    ring.setRecord(1);
    queue.passOver(first);
    assertThat(queue.lookUnrung()).isFalse();
    assertThat(queue.lookUnrung()).isFalse();
    assertThat(queue.lookCovered()).isFalse();
    assertThat(queue.look()).isTrue();
    ring.setRecord(2);
    queue.passOver(second);
    ring.setRecord(3);
    assertThat(queue.lookCovered()).isTrue();
    assertThat(queue.producer()).isEqualTo(3);
  }

  @Test
  void aRequestBehindAPassedOverRequestDoesNotWait() {
    ring.setRecord(2);
    queue.passOver(ControlSegment.first(0, 0, WqeOpcode.NOP, 1, 1));
    assertThat(queue.lookCovered()).isTrue();
    assertThat(queue.producer()).isEqualTo(2);
  }

  @Test
  void aDoorbellMatchesTheFirstWordOfItsRequest() {
    ring.post(Wqe.nop(), Wqe.nop());
    long second = Memory.getLong(ring.at(1, 0));
    assertThat(queue.isPosted(second)).isTrue();
    assertThat(queue.isPosted(second ^ 1)).isFalse();
    assertThat(queue.isPosted(0)).isFalse();
  }

  // ---- fetching

  @Test
  void nothingIsFetchedFromAnEmptyQueue() {
    assertThat(queue.fetch(fault)).isEqualTo(SendQueue.Fetch.NOTHING);
    assertThat(fault.isSet()).isFalse();
  }

  @Test
  void aWqeIsCopiedWholeAndTheNextFollowsIt() {
    ring.post(units(7), units(1), units(4));
    assertThat(queue.fetch(fault)).isEqualTo(SendQueue.Fetch.WQE);
    assertThat(queue.nextIndex()).isEqualTo(2);
    assertThat(queue.pending()).isEqualTo(2);
    expectSnapshot(0, 7);
    assertThat(queue.fetch(fault)).isEqualTo(SendQueue.Fetch.WQE);
    assertThat(queue.nextIndex()).isEqualTo(3);
    assertThat(queue.fetch(fault)).isEqualTo(SendQueue.Fetch.WQE);
    assertThat(queue.nextIndex()).isEqualTo(4);
    expectSnapshot(3, 4);
    assertThat(queue.fetch(fault)).isEqualTo(SendQueue.Fetch.NOTHING);
  }

  @Test
  void laterWritesDoNotChangeAFetchedWqe() {
    ring.post(units(4));
    queue.fetch(fault);
    Memory.putLong(ring.at(0, 16), 0);
    Memory.putLong(ring.at(0, 0), 0);
    expectSnapshot(0, 4);
    assertThat(Memory.getLong(queue.snapshot(0))).isEqualTo(0x4004L);
  }

  @Test
  void aWqeMayWrapAroundTheEndOfTheRing() {
    ring.startAt(14);
    ring.post(units(16));
    assertThat(queue.fetch(fault)).isEqualTo(SendQueue.Fetch.WQE);
    assertThat(queue.nextIndex()).isEqualTo(18);
    expectSnapshot(14, 16);
    assertThat(Memory.getLong(queue.snapshot(14))).isEqualTo(Memory.getLong(ring.at(14, 0)));
  }

  @Test
  void aWqeMayEndWhereTheRingEnds() {
    ring.startAt(14);
    ring.post(units(8));
    assertThat(queue.fetch(fault)).isEqualTo(SendQueue.Fetch.WQE);
    expectSnapshot(14, 8);
  }

  @Test
  void indicesWrapAtSixteenBits() {
    ring.startAt(0xfffe);
    ring.post(units(4), units(5));
    assertThat(queue.pending()).isEqualTo(3);
    assertThat(queue.fetch(fault)).isEqualTo(SendQueue.Fetch.WQE);
    assertThat(queue.fetch(fault)).isEqualTo(SendQueue.Fetch.WQE);
    assertThat(queue.nextIndex()).isEqualTo(1);
    expectSnapshot(0xffff, 5);
  }

  @Test
  void sixtyFourWqebbsCanBeFetchedAndNotRetired() {
    LoneSendQueue large = new LoneSendQueue(chip, QPN, 7);
    for (int i = 0; i < 66; i++) {
      large.post(units(1));
    }
    for (int i = 0; i < 64; i++) {
      assertThat(large.queue().fetch(fault)).isEqualTo(SendQueue.Fetch.WQE);
    }
    assertThat(large.queue().fetch(fault)).isEqualTo(SendQueue.Fetch.NOTHING);
    large.queue().retire(1);
    assertThat(large.queue().fetch(fault)).isEqualTo(SendQueue.Fetch.WQE);
    assertThat(large.queue().fetch(fault)).isEqualTo(SendQueue.Fetch.NOTHING);
  }

  @Test
  void aWqeThatCantBeExecutedNeedsAPlaceInTheWindowToo() {
    LoneSendQueue large = new LoneSendQueue(chip, QPN, 7);
    for (int i = 0; i < 64; i++) {
      large.post(units(1));
      large.queue().fetch(fault);
    }
    large.post(units(1).ds(0));
    assertThat(large.queue().fetch(fault)).isEqualTo(SendQueue.Fetch.NOTHING);
    large.queue().retire(1);
    assertThat(large.queue().fetch(fault)).isEqualTo(SendQueue.Fetch.FAULT);
  }

  // ---- what can't be executed

  private void expectFault(int vendorSyndrome, String explanation) {
    int index = queue.nextIndex();
    assertThat(queue.fetch(fault)).isEqualTo(SendQueue.Fetch.FAULT);
    assertThat(fault.syndrome()).isEqualTo(Syndrome.LOCAL_QP_OP_ERR);
    assertThat(fault.vendorSyndrome()).isEqualTo(vendorSyndrome);
    assertThat(fault.explanation()).isEqualTo(explanation);
    assertThat(queue.nextIndex()).isEqualTo(index);
  }

  @Test
  void aWrongIndexIsAFault() {
    ring.post(units(1).index(9));
    expectFault(
        0x68,
        "wqe_index in the control segment is 9, and should be 0: the index of the WQE's first"
            + " WQEBB, counted from 0 after each reset");
  }

  @Test
  void aWrongQueueNumberIsAFault() {
    ring.post(units(1).qpn(0x41));
    expectFault(0, "qp_num in the control segment is 0x41, and should be 0x40");
  }

  @Test
  void aDsOfZeroIsAFault() {
    ring.post(units(1).ds(0));
    expectFault(
        0,
        "ds in the control segment is 0; it counts the control segment itself, so it is at least"
            + " 1");
  }

  @Test
  void aWqeLongerThanWhatIsPostedIsAFault() {
    ring.post(units(1).ds(5));
    expectFault(
        0,
        "ds 5 makes the WQE 2 WQEBBs long, but only 1 are posted (doorbell record's send counter"
            + " 1)");
  }

  @Test
  void aWqeLongerThanItsManagedQueueIsAFaultAndNothingBehindTheRingIsRead() {
    LoneMemory memory = chip.memory(2048);
    SendQueue small =
        SendQueue.managed(QPN, memory.umem(), memory.address(0), 0, memory.address(64));
    Memory.putLong(memory.address(0), ControlSegment.first(0, 0, WqeOpcode.NOP, QPN, 63));
    Memory.fill(memory.address(128), 1024, (byte) 0x77);
    small.publish(16);
    assertThat(small.fetch(fault)).isEqualTo(SendQueue.Fetch.FAULT);
    assertThat(fault.explanation())
        .isEqualTo("ds 63 makes the WQE 16 WQEBBs long, but the queue has only 1");
    assertThat(Memory.getLong(small.snapshot(0) + 128)).isZero();
  }

  @Test
  void aWqeLongerThanItsManagedQueueIsAFaultEvenIfOnlyAPartIsEnabled() {
    LoneMemory memory = chip.memory(2048);
    SendQueue small =
        SendQueue.managed(QPN, memory.umem(), memory.address(0), 0, memory.address(64));
    Memory.putLong(memory.address(0), ControlSegment.first(0, 0, WqeOpcode.NOP, QPN, 5));
    small.publish(1);
    assertThat(small.fetch(fault)).isEqualTo(SendQueue.Fetch.FAULT);
  }

  @Test
  void aRecordThatClaimsMoreThanTheRingHoldsIsAFault() {
    ring.post(units(1));
    ring.setRecord(17);
    queue.look();
    expectFault(
        0,
        "the doorbell record's send counter 17 is 17 WQEBBs ahead of index 0, but the queue has"
            + " only 16");
  }

  @Test
  void aRecordWhoseCounterIsReversedIsAFaultThatSaysSo() {
    ring.post(units(1));
    ring.setRecord(0x0300);
    queue.look();
    expectFault(
        0,
        "the doorbell record's send counter 768 is 768 WQEBBs ahead of index 0, but the queue has"
            + " only 16: its bytes are in the wrong order: 0x300 reversed is 3, and the counters of"
            + " a doorbell record are big-endian (htobe32)");
  }

  @Test
  void aRecordMayClaimAllThatTheRingHolds() {
    ring.post(units(1));
    ring.setRecord(16);
    queue.look();
    assertThat(queue.fetch(fault)).isEqualTo(SendQueue.Fetch.WQE);
  }

  // ---- passing over

  @Test
  void aSkippedWqeIsPassedByItsOwnLength() {
    ring.post(units(5), units(1));
    long first = queue.skip();
    assertThat(first).isEqualTo(Memory.getLong(ring.at(0, 0)));
    assertThat(queue.nextIndex()).isEqualTo(2);
    assertThat(queue.pending()).isEqualTo(1);
  }

  @Test
  void malformedWqesAreSkippedToTheProducerIndex() {
    ring.post(units(1).ds(0), units(1), units(1));
    queue.skip();
    assertThat(queue.nextIndex()).isEqualTo(3);
    ring.post(units(1).ds(9), units(1));
    queue.skip();
    assertThat(queue.nextIndex()).isEqualTo(5);
    ring.post(units(1));
    ring.setRecord(40);
    queue.look();
    queue.skip();
    assertThat(queue.nextIndex()).isEqualTo(40);
    assertThat(queue.pending()).isZero();
  }

  @Test
  void aFullRingIsSkippedWqeByWqe() {
    for (int i = 0; i < 16; i++) {
      ring.post(units(1));
    }
    queue.skip();
    assertThat(queue.nextIndex()).isEqualTo(1);
  }

  @Test
  void aWrongIndexIsExplainedInAFullRingToo() {
    ring.post(units(1).index(9));
    ring.setRecord(16);
    queue.look();
    expectFault(
        0x68,
        "wqe_index in the control segment is 9, and should be 0: the index of the WQE's first"
            + " WQEBB, counted from 0 after each reset");
  }

  @Test
  void aSkippedWqeGivesItsPlaceBack() {
    LoneSendQueue large = new LoneSendQueue(chip, QPN, 7);
    for (int i = 0; i < 64; i++) {
      large.post(units(1));
      large.queue().fetch(fault);
    }
    large.post(units(1));
    large.queue().skip();
    large.post(units(1));
    assertThat(large.queue().fetch(fault)).isEqualTo(SendQueue.Fetch.WQE);
  }

  @Test
  void secondWordsAreReadFromTheRing() {
    ring.post(units(1).immediate(0x1234), units(1).immediate(0x5678));
    assertThat((int) queue.secondWord(0)).isEqualTo(0x1234);
    assertThat((int) queue.secondWord(1)).isEqualTo(0x5678);
    assertThat((int) queue.secondWord(17)).isEqualTo(0x5678);
  }

  @Test
  void aWqeIsSkippedWhereTheRingWraps() {
    ring.startAt(19);
    ring.post(units(5), units(1));
    assertThat(queue.skip()).isEqualTo(Memory.getLong(ring.at(3, 0)));
    assertThat(queue.nextIndex()).isEqualTo(21);
  }

  @Test
  void readAheadContinuesWhereTheRingWraps() {
    ring.startAt(15);
    ring.post(units(1), units(1));
    Memory.putLong(ring.at(15, 0), 0);
    assertThat(queue.readAhead()).isEqualTo(2);
    Memory.putLong(ring.at(0, 0), 0);
    assertThat(queue.readAhead()).isZero();
  }

  // ---- executing in place

  @Test
  void readAheadReadsUpToSixteenPostedWqebbs() {
    assertThat(queue.readAhead()).isZero();
    ring.post(units(1), units(1));
    assertThat(queue.readAhead()).isEqualTo(2);
    LoneSendQueue large = new LoneSendQueue(chip, QPN, 6);
    for (int i = 0; i < 20; i++) {
      large.post(units(1));
    }
    assertThat(large.queue().readAhead()).isEqualTo(16);
  }

  @Test
  void readAheadReadsNothingMalformed() {
    ring.setRecord(2);
    queue.look();
    assertThat(queue.readAhead()).as("two WQEBBs of zeros").isZero();
    ring.post(units(1));
    ring.setRecord(17);
    queue.look();
    assertThat(queue.readAhead()).as("the record claims more than the ring holds").isZero();
    ring.setRecord(16);
    queue.look();
    assertThat(queue.readAhead()).isEqualTo(16);
  }

  @Test
  void aWqebbHasAnAddressInTheRing() {
    assertThat(queue.at(3)).isEqualTo(ring.at(3, 0));
    assertThat(queue.at(19)).isEqualTo(ring.at(3, 0));
  }

  @Test
  void requestsExecutedInPlaceCountAsFetchedAndRetired() {
    ring.post(units(1), units(1), units(1));
    queue.passTo(2);
    assertThat(queue.nextIndex()).isEqualTo(2);
    assertThat(queue.pending()).isEqualTo(1);
  }

  // ---- the rest

  @Test
  void aCopyForAnExplanationWrapsAroundTheRing() {
    ring.startAt(15);
    ring.post(units(8));
    byte[] copy = queue.copy(15, 8);
    assertThat(copy).hasSize(128).isEqualTo(units(8).bytes(15, QPN));
    assertThat(queue.copy(15, 0)).isEmpty();
  }

  @Test
  void aResetQueueIsAtIndexZero() {
    ring.post(units(4), units(4));
    queue.fetch(fault);
    queue.reset();
    assertThat(queue.nextIndex()).isZero();
    assertThat(queue.producer()).isZero();
    assertThat(queue.pending()).isZero();
  }

  @Test
  void aResetQueueHasItsWholeWindow() {
    LoneSendQueue large = new LoneSendQueue(chip, QPN, 7);
    for (int i = 0; i < 10; i++) {
      large.post(units(1));
      large.queue().fetch(fault);
      large.queue().retire(1);
    }
    large.queue().reset();
    large.queue().look();
    assertThat(large.queue().fetch(fault)).isEqualTo(SendQueue.Fetch.WQE);
  }

  @Test
  void anAbsentSendQueueHasNoRequests() {
    SendQueue none = SendQueue.none(QPN, chip.memory(64).umem());
    assertThat(none.isNone()).isTrue();
    assertThat(none.look()).isFalse();
    assertThat(none.size()).isEqualTo(1);
    assertThat(none.fetch(fault)).isEqualTo(SendQueue.Fetch.NOTHING);
    assertThat(queue.isNone()).isFalse();
    assertThat(queue.size()).isEqualTo(16);
  }

  @Test
  void aRingThatDoesNotLieInItsUmemIsRefused() {
    LoneMemory memory = chip.memory(1024);
    assertThat(new SendQueue(QPN, memory.umem(), memory.address(0), 4, 0).size()).isEqualTo(16);
    assertThatThrownBy(() -> new SendQueue(QPN, memory.umem(), memory.address(64), 4, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the send queue is not inside its umem");
  }

  @Test
  void snapshotsOfTheWindowDoNotOverlap() {
    assertThat(queue.snapshot(1) - queue.snapshot(0)).isEqualTo(64);
    assertThat(queue.snapshot(64)).isEqualTo(queue.snapshot(0));
    assertThat(queue.snapshot(63) - queue.snapshot(0)).isEqualTo(63 * 64);
  }
}
