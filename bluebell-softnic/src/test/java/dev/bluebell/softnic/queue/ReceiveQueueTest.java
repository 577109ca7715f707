package dev.bluebell.softnic.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.softnic.rig.LoneChip;
import dev.bluebell.softnic.rig.LoneMemory;
import dev.bluebell.softnic.rig.LoneReceiveQueue;
import org.junit.jupiter.api.Test;

/** Queues of receive WQEs: rings of their own, and pools in either order. */
class ReceiveQueueTest {
  private static final long TERMINATOR = DataSegment.first(0, DataSegment.INVALID_LKEY);

  private final LoneChip chip = new LoneChip();
  private final LoneReceiveQueue ring = new LoneReceiveQueue(chip, 2);
  private final ReceiveQueue queue = ring.queue();
  private final ReceiveWqe wqe = new ReceiveWqe();

  // ---- a queue pair's own

  @Test
  void postedWqesAreAvailable() {
    assertThat(queue.available()).isZero();
    ring.post(DataSegment.first(8, 1), 0x1000);
    ring.post(DataSegment.first(9, 1), 0x2000);
    assertThat(queue.available()).isEqualTo(2);
  }

  @Test
  void theRecordIsReadAgainOnlyWhenNoWqeIsKnown() {
    ring.post(DataSegment.first(8, 1), 0x1000);
    assertThat(queue.available()).isEqualTo(1);
    ring.post(DataSegment.first(8, 1), 0x1000);
    assertThat(queue.available()).isEqualTo(1);
    assertThat(queue.look()).isEqualTo(2);
    assertThat(queue.available()).isEqualTo(2);
  }

  @Test
  void wqesAreTakenInTheOrderOfTheRing() {
    for (int i = 0; i < 10; i++) {
      ring.post(DataSegment.first(100 + i, 1), 0x1000);
      assertThat(queue.available()).isEqualTo(1);
      queue.take(wqe);
      assertThat(wqe.capacity()).isEqualTo(100 + i);
      assertThat(wqe.index()).isEqualTo(i);
    }
    assertThat(queue.available()).isZero();
    assertThat(queue.consumed()).isEqualTo(10);
  }

  @Test
  void countersWrapAtSixteenBits() {
    for (int i = 0; i < 0xffff; i++) {
      queue.pass();
    }
    ring.setRecord(0x10001);
    assertThat(queue.look()).isEqualTo(2);
    assertThat(queue.pass()).isEqualTo(0xffff);
    assertThat(queue.pass()).isZero();
    assertThat(queue.consumed()).isEqualTo(1);
    assertThat(queue.available()).isZero();
  }

  @Test
  void aPassedWqeIsConsumed() {
    ring.post(DataSegment.first(1, 1), 0).post(DataSegment.first(2, 1), 0);
    assertThat(queue.pass()).isZero();
    queue.take(wqe);
    assertThat(wqe.capacity()).isEqualTo(2);
    assertThat(wqe.index()).isEqualTo(1);
  }

  @Test
  void aRecordMayClaimAsManyAsTheRingHolds() {
    ring.setRecord(4);
    queue.look();
    assertThat(queue.isOverrun()).isFalse();
    ring.setRecord(5);
    queue.look();
    assertThat(queue.isOverrun()).isTrue();
    queue.pass();
    assertThat(queue.isOverrun()).isFalse();
  }

  @Test
  void aResetQueueIsAtWqeZero() {
    ring.post(DataSegment.first(7, 1), 0);
    queue.available();
    queue.take(wqe);
    queue.reset();
    assertThat(queue.consumed()).isZero();
    assertThat(queue.isOverrun()).isFalse();
    assertThat(queue.available()).isEqualTo(1);
    queue.take(wqe);
    assertThat(wqe.index()).isZero();
  }

  @Test
  void aQueueReportsItsSizeDomainAndNumber() {
    assertThat(queue.size()).isEqualTo(4);
    assertThat(queue.pd()).isEqualTo(LoneChip.PD);
    assertThat(queue.number()).isZero();
  }

  // ---- the limit

  @Test
  void aLimitIsReachedOnceWhenFewerAreLeft() {
    assertThat(queue.reachedLimit()).isFalse();
    ring.setRecord(3);
    queue.setLimit(2);
    assertThat(queue.limit()).isEqualTo(2);
    assertThat(queue.reachedLimit()).isFalse();
    queue.pass();
    assertThat(queue.reachedLimit()).isFalse();
    queue.pass();
    assertThat(queue.reachedLimit()).isTrue();
    assertThat(queue.limit()).isZero();
    assertThat(queue.reachedLimit()).isFalse();
  }

  @Test
  void aLimitLooksAtTheRecord() {
    ring.setRecord(1);
    queue.look();
    queue.setLimit(2);
    ring.setRecord(2);
    assertThat(queue.reachedLimit()).isFalse();
  }

  // ---- pools

  private ReceiveQueue pool(LoneMemory memory, boolean linked) {
    return ReceiveQueue.pool(
        memory.umem(), memory.address(0), 5, 2, memory.address(128), linked, 0x77, 9);
  }

  private static void put(LoneMemory memory, int slot, int next, int bytes) {
    Memory.putInt(memory.address(32L * slot), next);
    Memory.putLong(memory.address(32L * slot + 16), DataSegment.first(bytes, 1));
  }

  @Test
  void aLinkedPoolIsTakenAlongItsLinks() {
    LoneMemory memory = chip.memory(192);
    ReceiveQueue pool = pool(memory, true);
    put(memory, 0, 2, 100);
    put(memory, 2, 3, 102);
    put(memory, 3, 1, 103);
    // Only the low bits of a link count, so links stay inside the ring.
    put(memory, 1, 0xff06, 101);
    Memory.putInt(memory.address(128), 6);
    assertThat(pool.available()).isEqualTo(6);
    int[] slots = {0, 2, 3, 1, 2};
    for (int slot : slots) {
      pool.take(wqe);
      assertThat(wqe.index()).isEqualTo(slot);
      assertThat(wqe.capacity()).isEqualTo(100 + slot);
    }
    assertThat(pool.consumed()).isEqualTo(5);
    pool.reset();
    assertThat(pool.pass()).isZero();
    assertThat(pool.pass()).isEqualTo(2);
  }

  @Test
  void aCyclicPoolIsTakenInTheOrderOfTheRing() {
    LoneMemory memory = chip.memory(192);
    ReceiveQueue pool = pool(memory, false);
    for (int slot = 0; slot < 4; slot++) {
      put(memory, slot, 0, 100 + slot);
    }
    for (int index = 0; index < 12; index++) {
      Memory.putInt(memory.address(128), index + 1);
      assertThat(pool.available()).isEqualTo(1);
      pool.take(wqe);
      assertThat(wqe.index()).isEqualTo(index);
      assertThat(wqe.capacity()).isEqualTo(100 + index % 4);
    }
    assertThat(pool.number()).isEqualTo(0x77);
    assertThat(pool.pd()).isEqualTo(9);
  }

  @Test
  void theWqeOfAPoolEndsWithItsStride() {
    LoneMemory memory = chip.memory(192);
    put(memory, 0, 1, 5);
    put(memory, 1, 2, 6);
    Memory.putInt(memory.address(128), 1);
    ReceiveQueue pool = pool(memory, false);
    pool.take(wqe);
    assertThat(wqe.end() - wqe.segments()).isEqualTo(16);
  }

  // ---- none, and none that fits

  @Test
  void anAbsentReceiveQueueHasNoWqes() {
    assertThat(ReceiveQueue.none().available()).isZero();
    assertThat(ReceiveQueue.none().size()).isEqualTo(1);
  }

  @Test
  void aRingThatDoesNotLieInItsUmemIsRefused() {
    LoneMemory memory = chip.memory(256);
    assertThat(ReceiveQueue.own(memory.umem(), memory.address(0), 6, 2, 0, 0).size()).isEqualTo(4);
    assertThatThrownBy(() -> ReceiveQueue.own(memory.umem(), memory.address(16), 6, 2, 0, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the receive queue is not inside its umem");
  }

  // ---- the WQE

  private void fetch(LoneMemory memory, int bytes, long... words) {
    for (int i = 0; i < words.length; i++) {
      Memory.putLong(memory.address(8L * i), words[i]);
    }
    wqe.fetch(memory.address(0), bytes, 0x1234);
  }

  @Test
  void aListEndsAtItsTerminator() {
    LoneMemory memory = chip.memory(64);
    fetch(
        memory,
        64,
        DataSegment.first(10, 1),
        0x1000,
        DataSegment.first(20, 2),
        0x2000,
        TERMINATOR,
        0,
        DataSegment.first(40, 3),
        0x3000);
    assertThat(wqe.capacity()).isEqualTo(30);
    assertThat(wqe.end() - wqe.segments()).isEqualTo(32);
    assertThat(wqe.index()).isEqualTo(0x1234);
    assertThat(Memory.getLong(wqe.segments())).isEqualTo(DataSegment.first(10, 1));
    assertThat(Memory.getLong(wqe.segments() + 8)).isEqualTo(0x1000);
    assertThat(Memory.getLong(wqe.segments() + 16)).isEqualTo(DataSegment.first(20, 2));
    assertThat(Memory.getLong(wqe.segments() + 24)).isEqualTo(0x2000);
  }

  @Test
  void aListMayFillItsWqe() {
    LoneMemory memory = chip.memory(64);
    fetch(memory, 32, DataSegment.first(10, 1), 0, DataSegment.first(20, 2), 0, 5L << 32, 0);
    assertThat(wqe.capacity()).isEqualTo(30);
    assertThat(wqe.end() - wqe.segments()).isEqualTo(32);
  }

  @Test
  void aSegmentOfTheInvalidKeyWithAnAddressIsNotATerminator() {
    fetch(chip.memory(64), 16, TERMINATOR, 0x1000);
    assertThat(wqe.capacity()).isEqualTo(1L << 31);
  }

  @Test
  void bit31OfAReceiveByteCountIsIgnored() {
    fetch(chip.memory(64), 16, 1L << 63 | DataSegment.first(10, 1), 0x1000);
    assertThat(wqe.capacity()).isEqualTo(10);
    assertThat(Memory.getLong(wqe.segments())).isEqualTo(DataSegment.first(10, 1));
  }

  @Test
  void aLargerWqeThanBeforeHasRoom() {
    LoneMemory memory = chip.memory(ReceiveWqe.MAX_BYTES);
    long[] words = new long[ReceiveWqe.MAX_BYTES / 8];
    for (int i = 0; i < words.length; i += 2) {
      words[i] = DataSegment.first(1, 1);
    }
    fetch(memory, ReceiveWqe.MAX_BYTES, words);
    assertThat(wqe.capacity()).isEqualTo(ReceiveWqe.MAX_BYTES / 16);
    fetch(memory, 16, DataSegment.first(3, 1));
    assertThat(wqe.capacity()).isEqualTo(3);
    assertThat(wqe.end() - wqe.segments()).isEqualTo(16);
  }
}
