package dev.bluebell.softnic.queue;

import dev.bluebell.hca.cqe.MiniCqe;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.softnic.translation.Umem;

/**
 * The basic layout of compressed CQEs: a title with the number of its completions, followed by
 * arrays of mini CQEs.
 */
final class BasicCompression extends CompressingRing {
  BasicCompression(
      Umem memory,
      long ring,
      int logSize,
      int logStride,
      Umem recordMemory,
      long record,
      boolean ignoreOverrun,
      Compression compression) {
    super(
        memory,
        ring,
        logSize,
        logStride,
        recordMemory,
        record,
        ignoreOverrun,
        compression,
        Compression.MAX_NUM);
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
  void take(
      long flags,
      long uidxImmediate,
      long byteCount,
      long time,
      int sendOpcode,
      int qpn,
      int wqeIndex,
      int opOwn) {
    if (!isHolding() || !fits(flags, uidxImmediate, qpn, wqeIndex, opOwn, held())) {
      flush();
      title(flags, uidxImmediate, qpn, wqeIndex, opOwn);
    }
    hold(byteCount, time, sendOpcode, wqeIndex);
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
