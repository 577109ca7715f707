package dev.bluebell.softnic.translation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.MkeyMask;
import dev.bluebell.softnic.diagnosis.Explanations;
import dev.bluebell.softnic.engine.Effort;
import dev.bluebell.softnic.option.ReorderOptions;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.rig.LoneChip;
import dev.bluebell.softnic.rig.LoneProcess;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Memory keys: the fields taken from the context, and the ranges that they contain. */
class MemoryKeyTest {
  private final MemorySegment segment = Arena.ofAuto().allocate(4096);
  private final Umem umem = new Umem(3, segment);
  private final View mkc =
      View.of(Mkc.STRUCTURE).set(Mkc.PD, 0x123456).set(Mkc.QPN, Mkc.ANY_QPN).set(Mkc.LEN, 100);

  private MemoryKey key(long umemOffset, long start) {
    return new MemoryKey(0x1234, mkc.bytes(), umem, umemOffset, start);
  }

  @Test
  void aKeyHasTheFieldsOfItsContext() {
    MemoryKey key = key(8, 0x5000);
    assertThat(key.key()).isEqualTo(0x1234);
    assertThat(key.pd()).isEqualTo(0x123456);
    assertThat(key.qpn()).isEqualTo(0xffffff);
    assertThat(key.start()).isEqualTo(0x5000);
    assertThat(key.length()).isEqualTo(100);
    assertThat(key.umem()).isSameAs(umem);
    assertThat(key.context()).isSameAs(mkc.bytes());
  }

  @Test
  void eachRightIsABitOfItsContext() {
    assertThat(key(0, 0).rights()).isZero();
    mkc.set(Mkc.LR, true);
    assertThat(key(0, 0).rights()).isEqualTo(MemoryKey.LOCAL_READ);
    mkc.set(Mkc.LR, false).set(Mkc.LW, true);
    assertThat(key(0, 0).rights()).isEqualTo(MemoryKey.LOCAL_WRITE);
    mkc.set(Mkc.LW, false).set(Mkc.RR, true);
    assertThat(key(0, 0).rights()).isEqualTo(MemoryKey.REMOTE_READ);
    mkc.set(Mkc.RR, false).set(Mkc.RW, true);
    assertThat(key(0, 0).rights()).isEqualTo(MemoryKey.REMOTE_WRITE);
    mkc.set(Mkc.RW, false).set(Mkc.A, true);
    assertThat(key(0, 0).rights()).isEqualTo(MemoryKey.REMOTE_ATOMIC);
    mkc.set(Mkc.LR, true).set(Mkc.LW, true).set(Mkc.RR, true).set(Mkc.RW, true);
    assertThat(key(0, 0).rights()).isEqualTo(31);
  }

  @ParameterizedTest
  @CsvSource({
    "0x5000, 100, true",
    "0x5000, 101, false",
    "0x5000, 0, true",
    "0x5063, 1, true",
    "0x5064, 1, false",
    "0x5064, 0, true",
    "0x5065, 0, false",
    "0x4fff, 1, false",
    "0x5032, 50, true",
    "0x5033, 50, false",
    "0x5001, 0x7fffffffffffffff, false",
    "-1, 1, false",
  })
  void aKeyContainsOnlyWholeRanges(String address, String bytes, boolean held) {
    assertThat(key(0, 0x5000).contains(Long.decode(address), Long.decode(bytes))).isEqualTo(held);
  }

  @Test
  void aKeyWithoutAQueuePairServesAny() {
    MemoryKey key = key(0, 0);
    assertThat(key.serves(0)).isTrue();
    assertThat(key.serves(0xfffffe)).isTrue();
  }

  @Test
  void aKeyOfOneQueuePairServesOnlyThatAndHasNoFastPath() {
    mkc.set(Mkc.QPN, 0x40).set(Mkc.LR, true);
    MemoryKey key = key(0, 0);
    assertThat(key.serves(0x40)).isTrue();
    assertThat(key.serves(0x41)).isFalse();
    assertThat(key.rights()).isEqualTo(MemoryKey.LOCAL_READ);
    assertThat(key.directRights()).isZero();
  }

  @Test
  void memoryOfThisProcessLiesBehindItsUmemsAddress() {
    mkc.set(Mkc.LW, true);
    MemoryKey key = key(8, 0x5000);
    assertThat(key.directRights()).isEqualTo(MemoryKey.LOCAL_WRITE);
    assertThat(key.direct(0x5000)).isEqualTo(segment.address() + 8);
    assertThat(key.direct(0x5020)).isEqualTo(segment.address() + 0x28);
  }

  @Test
  void memoryOfAnotherProcessHasNoFastPath() {
    mkc.set(Mkc.LW, true);
    MemoryKey key =
        new MemoryKey(
            1,
            mkc.bytes(),
            Umem.foreign(4, new LoneProcess(new LoneChip(), 8), 0x10000, 4096),
            0,
            0);
    assertThat(key.rights()).isEqualTo(MemoryKey.LOCAL_WRITE);
    assertThat(key.directRights()).isZero();
    SegmentList list = new SegmentList();
    Walk walk =
        new Walk(
            new KeyTable(0x20, new Explanations(), (one, other) -> true, new Effort(), null),
            new Nowhere(new Explanations()));
    assertThat(key.translate(0x10, 8, walk, list)).isTrue();
    assertThat(list.hasForeign()).isTrue();
  }

  @Test
  void atomicsOnMemoryThatReordersKeepTheirFastPathWhenAUmrChangesTheKey() {
    mkc.set(Mkc.LR, true).set(Mkc.RW, true).set(Mkc.A, true);
    MemoryKey key = key(8, 0x5000);
    Chip chip = new LoneChip().chip();
    key.reorder(
        new ReorderedMemory(
            chip.time(),
            chip.explanations(),
            chip.scheduler(),
            new ReorderOptions(1, 1),
            pd -> null));
    assertThat(key.directRights()).isEqualTo(MemoryKey.REMOTE_ATOMIC);
    MemorySegment changed = Arena.ofAuto().allocate(Mkc.STRUCTURE.bytes(), 8);
    key.take(new KeyUpdate().of(MkeyMask.RELAXED_ORDERING_WRITE, changed.address()));
    assertThat(key.directRights()).isEqualTo(MemoryKey.REMOTE_ATOMIC);
    assertThat(key.direct(0x5020)).isEqualTo(segment.address() + 0x28);
  }

  @Test
  void anInvalidatedKeyIsFreeAndGrantsNothing() {
    mkc.set(Mkc.RW, true).set(Mkc.EN_RINVAL, true);
    MemoryKey key = key(0, 0);
    assertThat(key.mayBeInvalidated()).isTrue();
    assertThat(key.isFree()).isFalse();
    key.invalidate();
    assertThat(key.isFree()).isTrue();
    assertThat(key.rights()).isZero();
    assertThat(key.directRights()).isZero();
    assertThat(View.over(key.context()).isSet(Mkc.FREE)).isTrue();
  }

  @Test
  void aKeyMayNotBeInvalidatedByDefault() {
    assertThat(key(0, 0).mayBeInvalidated()).isFalse();
  }
}
