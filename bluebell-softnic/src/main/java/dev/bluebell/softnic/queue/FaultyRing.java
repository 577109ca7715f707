package dev.bluebell.softnic.queue;

import dev.bluebell.hca.HcaObserver.Subject;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.softnic.engine.Work;
import dev.bluebell.softnic.injection.Chance;
import dev.bluebell.softnic.injection.Faults;
import dev.bluebell.softnic.option.FaultKind;
import dev.bluebell.softnic.option.FaultRule;
import dev.bluebell.softnic.translation.Umem;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Fault injection for completions: a ring that drops or delays them. Completions after a late one
 * wait for it, so that they keep their order. Owned by the thread that runs the engine.
 */
final class FaultyRing extends CompletionRing {
  static final Set<FaultKind> KINDS =
      EnumSet.of(FaultKind.DROP_CQE, FaultKind.DELAY_CQE, FaultKind.OVERRUN);

  private final Chip chip;
  private final Faults faults;
  private final int number;
  private final Chance chance;
  private final Timer timer;
  private final ArrayDeque<Late> late = new ArrayDeque<>();
  private @Nullable Arming arming;

  // The fault of the next completion, drawn once, although hasRoom may be called more often.
  private @Nullable FaultRule met;
  private boolean skipped;
  private boolean overrun;

  // The newest completion, written or not.
  private @Nullable Late newest;

  // The message in front of the next completion's CQE.
  private byte @Nullable [] message;

  /**
   * A completion that is not written yet.
   *
   * @param front the words in front of its flags
   * @param message the message in front of its CQE; null for none
   */
  private record Late(
      long due,
      long[] front,
      byte @Nullable [] message,
      long flags,
      long uidx,
      long count,
      long time,
      long last,
      boolean solicited) {
    Late asSolicited() {
      return new Late(due, front, message, flags, uidx, count, time, last, true);
    }
  }

  /**
   * @param chance draws for this queue
   */
  FaultyRing(
      Chip chip,
      Faults faults,
      int number,
      Chance chance,
      Umem memory,
      long ring,
      int logSize,
      int logStride,
      Umem recordMemory,
      long record,
      boolean ignoreOverrun) {
    super(memory, ring, logSize, logStride, recordMemory, record, ignoreOverrun);
    this.chip = chip;
    this.faults = faults;
    this.number = number;
    this.chance = chance;
    timer = new Timer(chip);
    met = chance.next();
  }

  /** Sets the arming that late completions are reported to. */
  void attach(Arming hears) {
    arming = hears;
  }

  private void explain(FaultRule rule, String what) {
    chip.explanations()
        .add(
            Subject.COMPLETION_QUEUE,
            number,
            "completion %d of CQ 0x%x %s because of an injected fault (%s)"
                .formatted(chance.count(), number, what, faults.describe(rule)));
  }

  @Override
  boolean hasRoom() {
    FaultRule rule = met;
    if (rule != null && rule.kind() == FaultKind.OVERRUN) {
      if (!overrun) {
        overrun = true;
        explain(rule, "finds it overrun");
      }
      return false;
    }
    return hasRoom(nextIndex());
  }

  @Override
  int nextIndex() {
    return producer() + late.size();
  }

  @Override
  void release() {
    late.clear();
    super.release();
  }

  // A completion that is not written raises no event.
  @Override
  boolean isHolding() {
    return skipped;
  }

  @Override
  void settle() {
    while (!late.isEmpty()) {
      writeOldest();
    }
  }

  @Override
  void write(
      long flags,
      long uidxImmediate,
      long byteCount,
      long timestampOrError,
      int sendOpcode,
      int qpn,
      int wqeIndex,
      int opOwn) {
    take(
        flags,
        uidxImmediate,
        byteCount,
        timestampOrError,
        successWord(sendOpcode, qpn, wqeIndex, opOwn));
  }

  @Override
  void write(
      long data,
      int format,
      long flags,
      long uidxImmediate,
      long byteCount,
      long timestamp,
      int sendOpcode,
      int qpn,
      int wqeIndex,
      int opOwn) {
    if (format == Cqe.FORMAT_INLINE_64) {
      message = new byte[Cqe.BYTES];
      Memory.copyTo(data, MemorySegment.ofArray(message), 0, message.length);
      int formatted = opOwn | (int) Cqe.FORMAT.place(format);
      write(flags, uidxImmediate, byteCount, timestamp, sendOpcode, qpn, wqeIndex, formatted);
      message = null;
    } else {
      super.write(
          data,
          format,
          flags,
          uidxImmediate,
          byteCount,
          timestamp,
          sendOpcode,
          qpn,
          wqeIndex,
          opOwn);
    }
  }

  @Override
  void writeError(long uidxImmediate, long error, long last) {
    take(0, uidxImmediate, 0, error, last);
  }

  private void take(long flags, long uidx, long count, long time, long last) {
    // The RESIZE_CQ entry is not a completion.
    boolean isEnd = Cqe.opcode(last) == CqeOpcode.RESIZE_CQ;
    FaultRule rule = isEnd ? null : met;
    long delay = rule == null ? 0 : rule.delayNanos();
    long due = chip.time().now() + delay;
    Late entry =
        new Late(due, front(), message, flags, uidx, count, time, last, Cqe.solicited(last));
    newest = entry;
    skipped = true;
    if (isEnd) {
      settle();
    }
    if (rule != null && rule.kind() == FaultKind.DROP_CQE) {
      explain(rule, "is never written");
    } else if (rule != null || !late.isEmpty()) {
      if (rule != null) {
        explain(rule, "is written %,d µs late".formatted(TimeUnit.NANOSECONDS.toMicros(delay)));
      }
      if (late.size() == size()) {
        writeOldest();
      }
      late.add(entry);
      chip.scheduler().schedule(timer);
    } else {
      skipped = false;
      put(entry);
    }
    met = isEnd ? met : chance.next();
  }

  private void put(Late entry) {
    if (entry.message != null) {
      Memory.copyFrom(
          MemorySegment.ofArray(entry.message), 0, slot(producer()) - Cqe.BYTES, Cqe.BYTES);
    }
    long[] front = front();
    front(entry.front);
    put(
        entry.flags,
        entry.uidx,
        entry.count,
        entry.time,
        entry.last | producer() >>> logSize() & Cqe.OWNER_MASK);
    front(front);
  }

  private void writeOldest() {
    Late first = late.remove();
    put(first);
    Objects.requireNonNull(arming).completed(first.solicited);
  }

  @Override
  boolean solicit() {
    if (skipped && !late.isEmpty()) {
      late.add(late.removeLast().asSolicited());
    }
    return skipped;
  }

  @Override
  void newest(byte[] cqe) {
    Late entry = Objects.requireNonNull(newest);
    ByteBuffer words = ByteBuffer.wrap(cqe);
    for (long word : entry.front) {
      words.putLong(word);
    }
    words.putLong(entry.flags);
    words.putLong(entry.uidx);
    words.putLong(entry.count);
    words.putLong(entry.time);
    words.putLong(entry.last);
  }

  /** Writes late completions when their time has come. */
  private final class Timer extends Work {
    Timer(Chip owner) {
      belongTo(owner.scheduler().client());
    }

    @Override
    protected int turn() {
      return 0;
    }

    @Override
    protected long deadline() {
      Late first = late.peek();
      return first == null ? Long.MAX_VALUE : first.due;
    }

    @Override
    protected void onTimer() {
      while (!late.isEmpty() && late.getFirst().due <= chip.time().now()) {
        writeOldest();
      }
      chip.scheduler().schedule(this);
    }

    @Override
    protected void abandon(String why) {
      chip.explanations().add(Subject.COMPLETION_QUEUE, number, why);
    }
  }
}
