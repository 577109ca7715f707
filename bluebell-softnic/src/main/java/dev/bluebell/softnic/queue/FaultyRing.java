package dev.bluebell.softnic.queue;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.engine.Work;
import dev.bluebell.softnic.injection.Chance;
import dev.bluebell.softnic.injection.Faults;
import dev.bluebell.softnic.option.FaultKind;
import dev.bluebell.softnic.option.FaultRule;
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

  // Whether the newest completion is the last of the late ones.
  private boolean isLate;
  private boolean overrun;

  // The newest completion, written or not.
  private @Nullable Late newest;

  private final Completion plain = new Completion();

  /**
   * A completion that is not written yet.
   *
   * @param cqe its words without the owner bit
   * @param data the data in front of its CQE; null for none
   */
  private record Late(long due, long[] cqe, byte @Nullable [] data, boolean solicited) {
    Late asSolicited() {
      return new Late(due, cqe, data, true);
    }

    long last() {
      return cqe[Cqe.LAST_WORD / Long.BYTES];
    }
  }

  /**
   * @param chance draws for this queue
   */
  FaultyRing(Chip chip, Faults faults, int number, Chance chance, CqMemory place, View cqc) {
    super(place, cqc);
    this.chip = chip;
    this.faults = faults;
    this.number = number;
    this.chance = chance;
    timer = new Timer(chip);
    met = chance.next();
  }

  @Override
  void join(CompletionBatch held) {}

  @Override
  void attach(Arming hears) {
    arming = hears;
  }

  private void explain(FaultRule rule, String what) {
    chip.explainCompletionQueue(
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
  boolean pretendsFull() {
    return overrun;
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
  void write(long flags, long uidxImmediate, long byteCount, long timestampOrError, long last) {
    write(plain.set(flags, uidxImmediate, byteCount, timestampOrError, last));
  }

  @Override
  void write(Completion next) {
    // The RESIZE_CQ entry is not a completion.
    boolean isEnd = next.opcode() == CqeOpcode.RESIZE_CQ;
    FaultRule rule = isEnd ? null : met;
    long delay = rule == null ? 0 : rule.delayNanos();
    long due = chip.time().now() + delay;
    Late entry = new Late(due, next.words().clone(), data(next), next.isSolicited());
    newest = entry;
    skipped = true;
    isLate = false;
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
      isLate = true;
      chip.scheduler().schedule(timer);
    } else {
      skipped = false;
      put(entry);
    }
    met = isEnd ? met : chance.next();
  }

  private static byte @Nullable [] data(Completion of) {
    if (of.data() == 0) {
      return null;
    }
    byte[] data = new byte[InlineData.BYTES];
    Memory.copyTo(of.data(), MemorySegment.ofArray(data), 0, data.length);
    return data;
  }

  private void put(Late entry) {
    byte[] data = entry.data;
    if (data != null) {
      Memory.copyFrom(MemorySegment.ofArray(data), 0, slot(producer()) - data.length, data.length);
    }
    put(entry.cqe, entry.last() | producer() >>> logSize() & Cqe.OWNER_MASK);
  }

  private void writeOldest() {
    Late first = late.remove();
    put(first);
    Objects.requireNonNull(arming).completed(first.solicited);
  }

  @Override
  boolean solicit() {
    if (isLate && !late.isEmpty()) {
      late.add(late.removeLast().asSolicited());
    }
    return skipped;
  }

  @Override
  void newest(byte[] cqe) {
    Late entry = Objects.requireNonNull(newest);
    ByteBuffer.wrap(cqe).asLongBuffer().put(entry.cqe);
  }

  /** Writes late completions when their time has come. */
  private final class Timer extends Work {
    Timer(Chip owner) {
      belongTo(owner.scheduler().client());
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
      chip.explainCompletionQueue(number, why);
    }
  }
}
