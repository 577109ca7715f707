package dev.bluebell.softnic.queue;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.MiniCqe;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.structure.View;

/**
 * The enhanced layout of compressed CQEs: blocks whose title is the complete entry before them. No
 * block crosses the end of the ring or has its title in the previous round, because readers such as
 * UCX's would wait for ever.
 */
final class EnhancedCompression extends CompressingRing {
  // Whether there is an entry that a block can follow.
  private boolean hasTitle;
  private int titleIndex;

  EnhancedCompression(CqMemory place, View cqc, Compression compression) {
    super(place, cqc, compression, MiniCqe.IN_BLOCK);
  }

  @Override
  String layout() {
    return "enhanced";
  }

  @Override
  long validity() {
    return Cqe.VALIDITY_ITERATION_COUNT.place(0xff);
  }

  @Override
  int generation(int index) {
    return MiniCqe.enhancedGeneration(index, logSize());
  }

  @Override
  void take(Completion next) {
    if (hasTitle && !isAtStart(nextIndex()) && fits(next, nextIndex() - titleIndex)) {
      hold(next);
      if (isFull() || isAtStart(nextIndex())) {
        flush();
      }
    } else {
      flush();
      title(next);
      noteTitle();
      writeWhole(next);
    }
  }

  private void noteTitle() {
    hasTitle = true;
    titleIndex = producer();
  }

  @Override
  void writeHeld() {
    int count = held();
    if (count == 1 && !isDaring()) {
      noteTitle();
      writeFirst();
      return;
    }
    long slot = slot(producer());
    for (int i = 0; i < MiniCqe.IN_BLOCK; i++) {
      Memory.putLong(slot + (long) i * MiniCqe.BYTES, mini(i));
    }
    Memory.putLongRelease(
        slot + Cqe.LAST_WORD, MiniCqe.blockWord(firstCounter(), count, generation(producer())));
    skip(count);
  }

  @Override
  void endTitle() {
    hasTitle = false;
  }
}
