package dev.bluebell.softnic.queue;

import dev.bluebell.hca.cqe.MiniCqe;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.structure.View;

/**
 * The basic layout of compressed CQEs: a title with the number of its completions, followed by
 * arrays of mini CQEs.
 */
final class BasicCompression extends CompressingRing {
  BasicCompression(CqMemory place, View cqc, Compression compression) {
    super(place, cqc, compression, Compression.MAX_NUM);
  }

  @Override
  String layout() {
    return "basic";
  }

  @Override
  long validity() {
    return 0;
  }

  @Override
  int generation(int index) {
    return MiniCqe.generation(index, logSize());
  }

  @Override
  void take(Completion next) {
    if (!isHolding() || !fits(next, held())) {
      flush();
      title(next);
    }
    hold(next);
    if (isFull() || endsWithPass()) {
      flush();
    }
  }

  // UCX gives the entries of a session the owner bit of its title, and hangs if a session continues
  // in the next pass.
  private boolean endsWithPass() {
    return isAtStart(nextIndex()) && !isDaring();
  }

  // The arrays are written first, because software reads them as soon as it sees the title.
  @Override
  void writeHeld() {
    int count = held();
    if (count == 1) {
      writeFirst();
      return;
    }
    for (int array = 0; array * MiniCqe.IN_ARRAY < count; array++) {
      long slot = slot(producer() + MiniCqe.arrayOffset(array));
      for (int i = 0; i < MiniCqe.IN_ARRAY; i++) {
        Memory.putLong(slot + (long) i * MiniCqe.BYTES, mini(array * MiniCqe.IN_ARRAY + i));
      }
    }
    writeTitle(count);
    skip(count - 1);
  }

  @Override
  void endTitle() {}
}
