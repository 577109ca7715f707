package dev.bluebell.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaForeignMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Copies in many pieces, from and to this process itself. */
class ProcessMemoryTest {
  private static final int PIECES = 3 * HcaForeignMemory.MAX_PIECES + 7;
  private static final int STRIDE = 96;
  private static final int LONGEST = 80;

  /** An address at which no process has memory. */
  private static final long NOWHERE = 64;

  private final WatchedProcess process;
  private final ProcessMemory memory;
  private final MemorySegment there = random(PIECES * STRIDE);
  private final MemorySegment here = Arena.ofAuto().allocate(PIECES * STRIDE);

  ProcessMemoryTest() throws IOException {
    process = WatchedProcess.open((int) ProcessHandle.current().pid());
    memory = new ProcessMemory(process);
  }

  @AfterEach
  void close() {
    process.close();
  }

  private static MemorySegment random(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return Arena.ofAuto().allocate(size).copyFrom(MemorySegment.ofArray(bytes));
  }

  private static int length(int piece) {
    return 1 + piece % LONGEST;
  }

  private static byte[] bytes(MemorySegment of, int piece) {
    return of.asSlice((long) piece * STRIDE, length(piece)).toArray(ValueLayout.JAVA_BYTE);
  }

  private long theirs(int piece) {
    return there.address() + (long) piece * STRIDE;
  }

  private long ours(int piece) {
    return here.address() + (long) piece * STRIDE;
  }

  private void expectTheSame() {
    for (int i = 0; i < PIECES; i++) {
      assertThat(bytes(here, i)).as("piece %d", i).isEqualTo(bytes(there, i));
    }
  }

  @Test
  void manyPiecesAreReadInOrder() {
    memory.begin();
    for (int i = 0; i < PIECES; i++) {
      assertThat(memory.readPiece(theirs(i), ours(i), length(i))).isTrue();
    }
    assertThat(memory.finish()).isTrue();
    expectTheSame();
  }

  @Test
  void manyPiecesAreWrittenInOrder() {
    here.copyFrom(random(PIECES * STRIDE));
    there.fill((byte) 0);
    memory.begin();
    for (int i = 0; i < PIECES; i++) {
      assertThat(memory.writePiece(theirs(i), ours(i), length(i))).isTrue();
    }
    assertThat(memory.finish()).isTrue();
    expectTheSame();
  }

  @Test
  void anUnmappedPieceFailsItsWholeBatch() {
    memory.begin();
    assertThat(memory.readPiece(theirs(0), ours(0), 1)).isTrue();
    assertThat(memory.readPiece(NOWHERE, ours(1), 1)).isTrue();
    assertThat(memory.readPiece(theirs(2), ours(2), 1)).isTrue();
    assertThat(memory.finish()).isFalse();
    assertThat(memory.finish()).as("with nothing left").isTrue();
  }

  @Test
  void piecesOfACopyThatWasGivenUpAreForgotten() {
    memory.begin();
    assertThat(memory.readPiece(NOWHERE, ours(0), 1)).isTrue();
    memory.begin();
    assertThat(memory.readPiece(theirs(1), ours(1), length(1))).isTrue();
    assertThat(memory.finish()).isTrue();
    assertThat(bytes(here, 1)).isEqualTo(bytes(there, 1));
  }

  @Test
  void aCopyOfAnotherThreadLeavesThePiecesOfACopyAlone() throws InterruptedException {
    memory.begin();
    assertThat(memory.readPiece(theirs(0), ours(0), length(0))).isTrue();
    MemorySegment source = random(STRIDE);
    Thread other =
        new Thread(
            () -> {
              memory.begin();
              memory.writePiece(theirs(1), source.address(), STRIDE);
              memory.finish();
            });
    other.start();
    other.join();
    assertThat(memory.readPiece(theirs(2), ours(2), length(2))).isTrue();
    assertThat(memory.finish()).isTrue();
    assertThat(bytes(here, 0)).isEqualTo(bytes(there, 0));
    assertThat(bytes(here, 2)).isEqualTo(bytes(there, 2));
    assertThat(there.asSlice(STRIDE, STRIDE).mismatch(source)).isEqualTo(-1);
  }

  @Test
  void aLongPieceIsCopiedAtOnceBehindThoseBeforeIt() {
    MemorySegment large = random(1 << 17);
    MemorySegment copy = Arena.ofAuto().allocate(1 << 17);
    memory.begin();
    assertThat(memory.readPiece(theirs(5), ours(5), length(5))).isTrue();
    assertThat(memory.readPiece(large.address(), copy.address(), 1 << 17)).isTrue();
    assertThat(copy.mismatch(large)).isEqualTo(-1);
    assertThat(bytes(here, 5)).isEqualTo(bytes(there, 5));
    assertThat(memory.finish()).isTrue();
  }

  @Test
  void nothingIsCopiedOfAProcessThatHasEnded() {
    memory.begin();
    assertThat(memory.readPiece(theirs(0), ours(0), 1)).isTrue();
    process.close();
    assertThat(memory.finish()).isFalse();
    assertThat(memory.read(theirs(0), ours(0), 1)).isFalse();
  }
}
