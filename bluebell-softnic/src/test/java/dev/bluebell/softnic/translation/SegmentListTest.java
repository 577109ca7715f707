package dev.bluebell.softnic.translation;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.bluebell.softnic.rig.LoneChip;
import dev.bluebell.softnic.rig.LoneMemory;
import dev.bluebell.softnic.rig.LoneProcess;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists of pieces of memory, and all copies between them. */
class SegmentListTest {
  private static final int KEY = 0x1001;
  private static final int MANY = 1 << 9;

  private final LoneChip chip = new LoneChip();
  private final LoneProcess other = new LoneProcess(chip, 512);
  private final LoneMemory source = chip.memory(256).count(0, 120);
  private final LoneMemory target = chip.memory(256);
  private final SegmentList from = new SegmentList();
  private final SegmentList to = new SegmentList();

  /** Adds pieces of these lengths, which hold 1, 2, 3 … and have gaps between them. */
  private void gather(int... lengths) {
    int at = 0;
    int value = 0;
    for (int length : lengths) {
      for (int i = 0; i < length; i++) {
        source.put(at + i, (byte) ++value);
      }
      from.add(source.address(at), length);
      at += length;
      source.put(at, (byte) 99);
      at++;
    }
  }

  /** Adds pieces of the target, with a gap of one byte after each. */
  private void scatter(int... lengths) {
    int at = 0;
    for (int length : lengths) {
      to.add(target.address(at), length);
      at += length + 1;
    }
  }

  // ---- to one place

  @Test
  void onePieceIsCopiedAsFarAsAsked() {
    gather(8);
    from.copyTo(target.address(0), 5);
    assertThat(target.bytes(0, 7)).containsExactly(1, 2, 3, 4, 5, 0, 0);
  }

  @Test
  void manyPiecesAreCopiedInOrder() {
    gather(1, 2, 3, 4, 5, 6);
    from.copyTo(target.address(0), 20);
    assertThat(target.bytes(0, 20)).isEqualTo(LoneMemory.counted(20));
    assertThat(target.bytes(20, 1)).containsExactly(0);
  }

  @Test
  void aClearedListStartsAgain() {
    from.add(source.address(50), 4);
    from.clear();
    gather(4);
    from.copyTo(target.address(0), 4);
    assertThat(target.bytes(0, 4)).containsExactly(1, 2, 3, 4);
  }

  @Test
  void aClearedListFreesTheRoomOfManyPieces() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    fill(from, MANY);
    from.clear();
    long before = threads.getCurrentThreadAllocatedBytes();
    fill(from, MANY);
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isGreaterThan(12L * MANY);
  }

  private void fill(SegmentList list, int pieces) {
    for (int i = 0; i < pieces; i++) {
      list.add(source.address(0), 1);
    }
  }

  // ---- to another list

  @ParameterizedTest
  @ValueSource(
      strings = {
        "20|20",
        "4,16|20",
        "20|4,16",
        "5,5,10|10,5,5",
        "3,7,10|7,3,10",
        "30|10,20",
        "4,16|2,18"
      })
  void pieceAfterPieceIsCopiedToPieceAfterPiece(String lengths) {
    String[] sides = lengths.split("\\|", -1);
    gather(numbers(sides[0]));
    scatter(numbers(sides[1]));
    assertThat(from.copyTo(to, 20)).isTrue();
    SegmentList back = new SegmentList();
    int at = 0;
    for (int length : numbers(sides[1])) {
      back.add(target.address(at), length);
      at += length + 1;
      if (at < 20) {
        assertThat(target.bytes(at - 1, 1)).as("the gap").containsExactly(0);
      }
    }
    LoneMemory whole = chip.memory(64);
    back.copyTo(whole.address(0), 20);
    assertThat(whole.bytes(0, 21)).startsWith(LoneMemory.counted(20)).endsWith(0);
  }

  private static int[] numbers(String list) {
    return Arrays.stream(list.split(",", -1)).mapToInt(Integer::parseInt).toArray();
  }

  @Test
  void noBytesNeedNoPieces() {
    assertThat(from.copyTo(to, 0)).isTrue();
  }

  @Test
  void thePiecesOfAnotherListAreAdded() {
    gather(2, 3);
    SegmentList all = new SegmentList();
    all.add(source.address(100), 1);
    all.addAll(from);
    all.copyTo(target.address(0), 6);
    assertThat(target.bytes(0, 7)).containsExactly(101, 1, 2, 3, 4, 5, 0);
  }

  // ---- other processes

  @Test
  void aListIsForeignFromItsFirstForeignPieceUntilItIsCleared() {
    gather(4);
    assertThat(from.hasForeign()).isFalse();
    from.addForeign(other, other.address(4), 4, KEY);
    assertThat(from.hasForeign()).isTrue();
    from.clear();
    assertThat(from.hasForeign()).isFalse();
  }

  @Test
  void piecesOfBothProcessesAreRead() {
    other.inside().count(0, 120);
    gather(1, 2, 3);
    for (int i = 0; i < 6; i++) {
      from.addForeign(other, other.address(6 + i), 1, KEY + i);
    }
    from.add(source.address(12), 1);
    assertThat(from.read(target.address(0), 13)).isTrue();
    assertThat(target.bytes(0, 14)).startsWith(LoneMemory.counted(13)).endsWith(0);
  }

  @Test
  void aListThatIsFetchedHasOnePieceOfThisProcess() {
    other.inside().count(0, 120);
    from.addForeign(other, other.address(0), 4, KEY);
    gather(4);
    assertThat(from.fetch(target.address(0), 8)).isTrue();
    assertThat(from.hasForeign()).isFalse();
    from.copyTo(target.address(100), 8);
    assertThat(target.bytes(100, 9)).containsExactly(1, 2, 3, 4, 1, 2, 3, 4, 0);
  }

  @Test
  void aReadThatFailsNamesItsKey() {
    gather(4);
    from.addForeign(other, other.address(4), 4, KEY + 3);
    other.end();
    assertThat(from.read(target.address(0), 8)).isFalse();
    assertThat(from.failedKey()).isEqualTo(KEY + 3);
    assertThat(from.fetch(target.address(0), 8)).isFalse();
    assertThat(from.hasForeign()).isTrue();
  }

  @Test
  void foreignPiecesAreWritten() {
    gather(3, 5);
    to.addForeign(other, other.address(0), 4, KEY);
    to.add(target.address(10), 4);
    assertThat(from.copyTo(to, 8)).isTrue();
    assertThat(other.inside().bytes(0, 5)).containsExactly(1, 2, 3, 4, 0);
    assertThat(target.bytes(10, 5)).containsExactly(5, 6, 7, 8, 0);
  }

  @Test
  void oneForeignPieceIsWrittenFromItsOffsetOn() {
    gather(3, 5);
    to.addForeign(other, other.address(0), 100, KEY);
    assertThat(from.copyTo(to, 8)).isTrue();
    assertThat(other.inside().bytes(0, 9)).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 0);
  }

  @Test
  void aWriteThatFailsNamesItsKey() {
    gather(8);
    to.add(target.address(0), 4);
    to.addForeign(other, other.address(10), 4, KEY + 1);
    other.end();
    assertThat(from.copyTo(to, 8)).isFalse();
    assertThat(to.failedKey()).isEqualTo(KEY + 1);
    assertThat(target.bytes(0, 4)).containsExactly(1, 2, 3, 4);
  }

  @Test
  void aForeignListGrowsWithItsOwnersAndKeys() {
    for (int i = 0; i < 9; i++) {
      to.addForeign(other, other.address(2L * i), 1, KEY + i);
    }
    gather(9);
    assertThat(from.copyTo(to, 9)).isTrue();
    for (int i = 0; i < 9; i++) {
      assertThat(other.inside().bytes(2L * i, 2)).containsExactly(i + 1, 0);
    }
    other.end();
    assertThat(from.copyTo(to, 9)).isFalse();
    assertThat(to.failedKey()).isEqualTo(KEY);
  }

  /** Foreign pieces of one byte, each followed by one of this process. */
  private void interleave(SegmentList list, LoneMemory own, int pieces) {
    for (int i = 0; i < pieces; i++) {
      list.addForeign(other, other.address(2L * i), 1, KEY + i);
      list.add(own.address(2L * i), 1);
    }
  }

  @Test
  void piecesOfOneProcessAreReadInOneCall() {
    other.inside().count(0, 40);
    interleave(from, source, 20);
    assertThat(from.read(target.address(0), 40)).isTrue();
    for (int i = 0; i < 20; i++) {
      assertThat(target.bytes(2L * i, 2)).containsExactly(2 * i + 1, 2 * i + 1);
    }
    assertThat(other.calls()).isEqualTo(1);
  }

  @Test
  void piecesOfOneProcessAreWrittenInOneCall() {
    gather(40);
    interleave(to, target, 20);
    assertThat(from.copyTo(to, 40)).isTrue();
    for (int i = 0; i < 20; i++) {
      assertThat(other.inside().bytes(2L * i, 1)).containsExactly(2 * i + 1);
      assertThat(target.bytes(2L * i, 1)).containsExactly(2 * i + 2);
    }
    assertThat(other.calls()).isEqualTo(1);
  }

  @Test
  void piecesOfTwoProcessesKeepTheirOrder() {
    LoneProcess third = new LoneProcess(chip, 512);
    gather(3);
    to.addForeign(other, other.address(0), 1, KEY);
    to.addForeign(third, third.address(0), 1, KEY);
    to.addForeign(other, other.address(0), 1, KEY);
    assertThat(from.copyTo(to, 3)).isTrue();
    assertThat(other.inside().bytes(0, 1)).containsExactly(3);
    assertThat(third.inside().bytes(0, 1)).containsExactly(2);
    assertThat(other.calls()).isEqualTo(2);
  }
}
