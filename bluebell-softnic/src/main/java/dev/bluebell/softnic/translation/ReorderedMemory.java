package dev.bluebell.softnic.translation;

import dev.bluebell.hca.HcaForeignMemory;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.softnic.diagnosis.DeviceTime;
import dev.bluebell.softnic.diagnosis.Explanations;
import dev.bluebell.softnic.engine.Scheduler;
import dev.bluebell.softnic.engine.Work;
import dev.bluebell.softnic.option.ReorderOptions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A layer between the device and all memory that keys name, which makes payload visible out of
 * order where its key (relaxed_ordering_write) or its queue pair (dp_ordering) allows it: each
 * piece after a time that a seeded random draws. Payload becomes visible before the completion that
 * reports it, and before the device itself reads it. Owned by the thread that runs the engine.
 */
public final class ReorderedMemory extends Work {
  /** The most pieces held back; when there would be more, all become visible. */
  private static final int PIECES = 4096;

  /** A piece ends at a multiple of this, like bursts on a bus. */
  private static final int PIECE_BYTES = 256;

  private static final int NOBODY = -1;

  private final DeviceTime time;
  private final Explanations explanations;
  private final Scheduler scheduler;
  private final ReorderOptions options;
  private final SplittableRandom random;

  @SuppressWarnings("UnusedVariable") // Keeps the rooms reachable.
  private final MemorySegment rooms;

  private final PriorityQueue<HeldWrite> held =
      new PriorityQueue<>(PIECES, Comparator.comparingLong((HeldWrite write) -> write.due));
  private final HeldWrite[] free = new HeldWrite[PIECES];
  private int freeCount = PIECES;

  // Pieces held for each queue pair, by its number.
  private int[] counts = new int[256];
  private final BitSet unorderedWrites = new BitSet();
  private final BitSet unorderedMessages = new BitSet();
  private final List<Work> waiting = new ArrayList<>();

  // The queue pair of the current packet, and whether its payload must become visible at once.
  private int destination = NOBODY;
  private boolean inOrder;
  private boolean relaxes;

  private long heldBack;
  private long lost;

  public ReorderedMemory(
      DeviceTime time, Explanations explanations, Scheduler scheduler, ReorderOptions options) {
    this.time = time;
    this.explanations = explanations;
    this.scheduler = scheduler;
    this.options = options;
    random = new SplittableRandom(options.seed());
    rooms = Arena.ofAuto().allocate((long) PIECES * PIECE_BYTES, PIECE_BYTES);
    for (int i = 0; i < PIECES; i++) {
      free[i] = new HeldWrite(rooms.address() + (long) i * PIECE_BYTES);
    }
  }

  // ---- delivery

  /**
   * Sets which payload a queue pair or DC target places out of order, even if its keys do not allow
   * it.
   *
   * @param writes the payload of WRITEs and of READ responses
   * @param messages the payload of SENDs
   */
  public void placeOutOfOrder(int qpn, boolean writes, boolean messages) {
    unorderedWrites.set(qpn, writes);
    unorderedMessages.set(qpn, messages);
  }

  /**
   * Begins the delivery of a packet to a queue pair.
   *
   * @param message whether the packet is part of a SEND
   * @param mayComplete whether it may cause a completion; then its own payload and all before it
   *     must become visible first
   */
  public void arrives(int qpn, boolean message, boolean mayComplete) {
    destination = qpn;
    relaxes = (message ? unorderedMessages : unorderedWrites).get(qpn);
    inOrder = false;
    if (mayComplete) {
      completes();
    }
  }

  /** Notes that the packet under delivery, if there is one, causes a completion. */
  public void completes() {
    if (destination != NOBODY && !inOrder) {
      inOrder = true;
      show(destination);
    }
  }

  /** Ends the delivery of the packet. */
  public void arrived() {
    destination = NOBODY;
  }

  /**
   * True when all payload that was delivered to a queue pair is visible.
   *
   * @param sender if not, this work is activated once all may have become visible
   */
  public boolean isVisible(int qpn, Work sender) {
    if (count(qpn) == 0) {
      return true;
    }
    if (!waiting.contains(sender)) {
      waiting.add(sender);
    }
    return false;
  }

  private int count(int qpn) {
    return qpn < counts.length ? counts[qpn] : 0;
  }

  // ---- memory

  /**
   * Wraps the memory of a key.
   *
   * @param relaxed whether payload may become visible out of order
   */
  HcaForeignMemory around(Translation translation, BooleanSupplier relaxed) {
    return new Reordered(
        translation instanceof Translation.Foreign foreign ? foreign.owner() : null, relaxed);
  }

  private final class Reordered implements HcaForeignMemory {
    private final @Nullable HcaForeignMemory owner;
    private final BooleanSupplier relaxed;

    Reordered(@Nullable HcaForeignMemory owner, BooleanSupplier relaxed) {
      this.owner = owner;
      this.relaxed = relaxed;
    }

    @Override
    public boolean read(long address, long to, int bytes) {
      show(write -> write.touches(owner, address, bytes));
      if (owner != null) {
        return owner.read(address, to, bytes);
      }
      Memory.copy(address, to, bytes);
      return true;
    }

    @Override
    public boolean write(long address, long from, int bytes) {
      if (destination != NOBODY && !inOrder && (relaxes || relaxed.getAsBoolean())) {
        hold(owner, address, from, bytes);
        return true;
      }
      show(write -> write.touches(owner, address, bytes));
      return put(owner, address, from, bytes);
    }

    @Override
    public boolean hasEnded() {
      return owner != null && owner.hasEnded();
    }
  }

  private static boolean put(@Nullable HcaForeignMemory owner, long address, long from, int bytes) {
    if (owner != null) {
      return owner.write(address, from, bytes);
    }
    Memory.copy(from, address, bytes);
    return true;
  }

  private void hold(@Nullable HcaForeignMemory owner, long address, long from, int bytes) {
    if (destination >= counts.length) {
      counts = Arrays.copyOf(counts, Math.max(destination + 1, 2 * counts.length));
    }
    for (int at = 0; at < bytes; ) {
      long to = address + at;
      int piece = Math.min(bytes - at, PIECE_BYTES - (int) (to & PIECE_BYTES - 1));
      if (freeCount == 0) {
        showAll();
      }
      HeldWrite write = free[--freeCount];
      Memory.copy(from + at, write.room, piece);
      write.owner = owner;
      write.address = to;
      write.bytes = piece;
      write.qpn = destination;
      write.due = time.now() + random.nextLong(options.delayNanos() + 1);
      counts[destination]++;
      heldBack++;
      held.add(write);
      at += piece;
    }
    scheduler.schedule(this);
  }

  // ---- visibility

  /** Makes all held-back payload visible now, because its keys may end. */
  void showAll() {
    show(write -> true);
  }

  /** Makes all payload that was delivered to a queue pair visible now. */
  public void show(int qpn) {
    if (count(qpn) > 0) {
      show(write -> write.qpn == qpn);
    }
  }

  private void show(Predicate<HeldWrite> which) {
    if (held.isEmpty()) {
      return;
    }
    List<HeldWrite> all = new ArrayList<>(held.size());
    while (!held.isEmpty()) {
      all.add(held.remove());
    }
    for (HeldWrite write : all) {
      if (which.test(write)) {
        show(write);
      } else {
        held.add(write);
      }
    }
    wake();
  }

  private void show(HeldWrite write) {
    try {
      lost += put(write.owner, write.address, write.room, write.bytes) ? 0 : 1;
    } catch (InternalError gone) {
      // The memory was unmapped meanwhile; its queue pair went on.
      lost++;
    }
    counts[write.qpn]--;
    write.owner = null;
    free[freeCount++] = write;
  }

  private void wake() {
    for (int i = 0; i < waiting.size(); i++) {
      scheduler.activate(waiting.get(i));
    }
    waiting.clear();
  }

  // ---- work

  @Override
  protected long deadline() {
    HeldWrite next = held.peek();
    return next == null ? Long.MAX_VALUE : next.due;
  }

  @Override
  protected void onTimer() {
    long now = time.now();
    while (deadline() <= now) {
      show(held.remove());
    }
    wake();
  }

  @Override
  protected void abandon(String why) {
    explanations.add(why);
    scheduler.schedule(this);
  }

  /** Its lines in the device's list of objects. */
  public List<String> lines() {
    return List.of(
        "memory %s: %,d pieces of payload held back, %,d of them now, %,d lost because their memory was gone"
            .formatted(options, heldBack, held.size(), lost));
  }

  @Override
  public String toString() {
    return "the memory that reorders";
  }
}
