package dev.bluebell.softnic.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Gather and scatter lists of many entries, each with a different length and place. */
class LongListTest {
  private static final int PLACE = 512;
  private static final int MOST = 32;
  private static final int BYTES = MOST * PLACE;

  /** Receives of 512 bytes: 32 entries. */
  private static final int LOG_STRIDE = 9;

  private final Rig rig = Rigs.open();
  private final RawMemory whole = rig.memory(BYTES).fill(1);
  private final RawMemory pieces = rig.memory(BYTES);
  private final RawPair pair = RawPair.connect(queuePair(), queuePair(), new Settings().mtu(1));

  @AfterEach
  void close() {
    whole.expectCanaries();
    pieces.expectCanaries();
    rig.close();
  }

  private RawQp queuePair() {
    return rig.qp(new RawQpPlan(rig.cq(4)).sizes(5, 2, LOG_STRIDE));
  }

  private static int length(int entry) {
    return 100 + 7 * entry;
  }

  // The last entry comes first in memory.
  private static int place(int entry) {
    return (MOST - 1 - entry) * PLACE;
  }

  private static int sum(int entries) {
    int sum = 0;
    for (int i = 0; i < entries; i++) {
      sum += length(i);
    }
    return sum;
  }

  private Wqe listing(Wqe wqe, int entries) {
    for (int i = 0; i < entries; i++) {
      wqe.data(pieces, place(i), length(i));
    }
    return wqe;
  }

  private void receive(int entries) {
    long at = pair.right().receiveWqe(0);
    for (int i = 0; i < entries; i++) {
      Memory.putLong(at + 16L * i, DataSegment.first(length(i), pieces.key()));
      Memory.putLong(at + 16L * i + 8, pieces.address(place(i)));
    }
    if (entries < MOST) {
      Memory.putLong(at + 16L * entries, DataSegment.first(0, DataSegment.INVALID_LKEY));
    }
    pair.right().writeReceiveRecord(1);
  }

  private void done(Wqe wqe) {
    pair.left().post(wqe);
    rig.settle();
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  private void expectScattered(int entries) {
    byte[] expected = new byte[BYTES];
    for (int i = 0; i < entries; i++) {
      System.arraycopy(whole.bytes(), sum(i), expected, place(i), length(i));
    }
    assertThat(pieces.bytes()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 5, 8, 9, 17, 32})
  void aSendFillsAReceiveOfManyEntries(int entries) {
    receive(entries);
    done(Wqe.send().data(whole, 0, sum(entries)));
    assertThat(pair.right().receives().pollOne().byteCount()).isEqualTo(sum(entries));
    expectScattered(entries);
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 5, 8, 9, 17, 32})
  void aReadFillsManyEntries(int entries) {
    done(listing(Wqe.read(whole, 0), entries));
    expectScattered(entries);
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 5, 8, 9, 17, 32})
  void aWriteCollectsManyEntries(int entries) {
    pieces.fill(2);
    byte[] after = whole.bytes();
    for (int i = 0; i < entries; i++) {
      System.arraycopy(pieces.bytes(), place(i), after, sum(i), length(i));
    }
    done(listing(Wqe.write(whole, 0), entries));
    assertThat(whole.bytes()).isEqualTo(after);
  }
}
