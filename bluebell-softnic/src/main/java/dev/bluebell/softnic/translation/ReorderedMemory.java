package dev.bluebell.softnic.translation;

import dev.bluebell.hca.HcaForeignMemory;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.softnic.diagnosis.DeviceTime;
import dev.bluebell.softnic.diagnosis.Explanations;
import dev.bluebell.softnic.engine.Client;
import dev.bluebell.softnic.engine.Scheduler;
import dev.bluebell.softnic.engine.Scratch;
import dev.bluebell.softnic.engine.Work;
import dev.bluebell.softnic.option.ReorderOptions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A layer between the device and all memory that keys name, which makes payload visible out of
 * order where its key (relaxed_ordering_write) or its queue pair (dp_ordering) allows it: each
 * piece after a time that a seeded random draws. Payload becomes visible before the completion that
 * reports it, and before the device itself reads it. Owned by the thread that runs the engine.
 */
public final class ReorderedMemory implements Scratch {
  /** The most pieces held back; more are visible at once. */
  private static final int PIECES = 4096;

  /** A piece ends at a multiple of this, like bursts on a bus. */
  private static final int PIECE_BYTES = 256;

  private static final int NOBODY = -1;

  private static final Comparator<HeldWrite> BY_TIME = Comparator.comparingLong(write -> write.due);

  private final DeviceTime time;
  private final Explanations explanations;
  private final Scheduler scheduler;
  private final ReorderOptions options;
  private final IntFunction<@Nullable Client> owners;
  private final SplittableRandom random;

  @SuppressWarnings("UnusedVariable") // Keeps the rooms reachable.
  private final MemorySegment rooms;

  private final HeldPayload own = new HeldPayload(null);
  private final Map<Client, HeldPayload> clients = new HashMap<>();
  private final HeldWrite[] free = new HeldWrite[PIECES];
  private int freeCount = PIECES;

  // Pieces held for each queue pair, by its number.
  private int[] counts = new int[256];
  private final BitSet unorderedWrites = new BitSet();
  private final BitSet unorderedMessages = new BitSet();
  private final List<Work> waiting = new ArrayList<>();

  private Delivery delivery = new Delivery();

  private long heldBack;
  private long lost;

  /** The packet under delivery. */
  private static final class Delivery {
    // Its queue pair, and whether its payload must become visible at once.
    int destination = NOBODY;
    boolean inOrder;
    boolean relaxes;
  }

  /**
   * @param owners the client of a protection domain, by its number; null when there is none
   */
  public ReorderedMemory(
      DeviceTime time,
      Explanations explanations,
      Scheduler scheduler,
      ReorderOptions options,
      IntFunction<@Nullable Client> owners) {
    this.time = time;
    this.explanations = explanations;
    this.scheduler = scheduler;
    this.options = options;
    this.owners = owners;
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
    delivery.destination = qpn;
    delivery.relaxes = (message ? unorderedMessages : unorderedWrites).get(qpn);
    delivery.inOrder = false;
    if (mayComplete) {
      completes();
    }
  }

  /** Notes that the packet under delivery, if there is one, causes a completion. */
  public void completes() {
    if (delivery.destination != NOBODY && !delivery.inOrder) {
      delivery.inOrder = true;
      show(delivery.destination);
    }
  }

  /** Ends the delivery of the packet. */
  public void arrived() {
    delivery.destination = NOBODY;
  }

  @Override
  public Object leave() {
    Delivery left = delivery;
    delivery = new Delivery();
    return left;
  }

  @Override
  public void takeBack(Object left) {
    delivery = (Delivery) left;
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
      showTouched(owner, address, bytes);
      if (owner != null) {
        return owner.read(address, to, bytes);
      }
      Memory.copy(address, to, bytes);
      return true;
    }

    @Override
    public boolean write(long address, long from, int bytes) {
      if (delivery.destination != NOBODY
          && !delivery.inOrder
          && (delivery.relaxes || relaxed.getAsBoolean())) {
        return hold(owner, address, from, bytes);
      }
      showTouched(owner, address, bytes);
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

  private boolean hold(@Nullable HcaForeignMemory owner, long address, long from, int bytes) {
    int qpn = delivery.destination;
    if (qpn >= counts.length) {
      counts = Arrays.copyOf(counts, Math.max(qpn + 1, 2 * counts.length));
    }
    boolean done = true;
    for (int at = 0; at < bytes; ) {
      long to = address + at;
      int piece = Math.min(bytes - at, PIECE_BYTES - (int) (to & PIECE_BYTES - 1));
      if (freeCount == 0) {
        done &= put(owner, to, from + at, piece);
      } else {
        HeldWrite write = free[--freeCount];
        Memory.copy(from + at, write.room, piece);
        write.owner = owner;
        write.address = to;
        write.bytes = piece;
        write.qpn = qpn;
        write.due = time.now() + random.nextLong(options.delayNanos() + 1);
        counts[qpn]++;
        heldBack++;
        HeldPayload payload = payload(owner);
        payload.held.add(write);
        scheduler.schedule(payload);
      }
      at += piece;
    }
    return done;
  }

  private HeldPayload payload(@Nullable HcaForeignMemory owner) {
    HeldPayload found = find(owner);
    if (found != null) {
      return found;
    }
    Client client = ((GuardedMemory) Objects.requireNonNull(owner)).client();
    clients.values().removeIf(HeldPayload::isEmpty);
    HeldPayload made = new HeldPayload(client);
    clients.put(client, made);
    return made;
  }

  private @Nullable HeldPayload find(@Nullable HcaForeignMemory owner) {
    return owner instanceof GuardedMemory guarded ? clients.get(guarded.client()) : own;
  }

  // ---- visibility

  /**
   * Makes all payload visible now that is held back for memory of a client, because its keys may
   * end.
   *
   * @param pd a protection domain of the client
   */
  void showAll(int pd) {
    own.show(write -> true);
    Client client = owners.apply(pd);
    HeldPayload payload = client == null ? null : clients.get(client);
    if (payload != null) {
      payload.show(write -> true);
    }
  }

  /** Makes all payload that was delivered to a queue pair visible now. */
  public void show(int qpn) {
    if (count(qpn) > 0) {
      own.show(write -> write.qpn == qpn);
      for (HeldPayload payload : List.copyOf(clients.values())) {
        payload.show(write -> write.qpn == qpn);
      }
    }
  }

  private void showTouched(@Nullable HcaForeignMemory owner, long address, int bytes) {
    HeldPayload payload = find(owner);
    if (payload != null) {
      payload.show(write -> write.touches(owner, address, bytes));
    }
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

  /**
   * The payload that is held back for memory of one client. It has the client's turns, so a page
   * that the client waits for delays no payload of others. A write may suspend the turn, and other
   * turns then hold back and show, too.
   */
  private final class HeldPayload extends Work {
    private final PriorityQueue<HeldWrite> held = new PriorityQueue<>(BY_TIME);

    /**
     * @param client null for memory of this process
     */
    HeldPayload(@Nullable Client client) {
      if (client != null) {
        belongTo(client);
      }
    }

    boolean isEmpty() {
      return held.isEmpty();
    }

    void show(Predicate<HeldWrite> which) {
      if (held.isEmpty()) {
        return;
      }
      for (HeldWrite write : held.stream().filter(which).sorted(BY_TIME).toList()) {
        if (held.remove(write)) {
          ReorderedMemory.this.show(write);
        }
      }
      wake();
    }

    @Override
    protected long deadline() {
      HeldWrite next = held.peek();
      return next == null ? Long.MAX_VALUE : next.due;
    }

    @Override
    protected void onTimer() {
      long now = time.now();
      while (deadline() <= now) {
        ReorderedMemory.this.show(held.remove());
      }
      wake();
    }

    @Override
    protected void abandon(String why) {
      explanations.add(why);
      scheduler.schedule(this);
    }

    @Override
    public String toString() {
      return "the memory that reorders";
    }
  }

  /** Its lines in the device's list of objects. */
  public List<String> lines() {
    return List.of(
        "memory %s: %,d pieces of payload held back, %,d of them now, %,d lost because their memory was gone"
            .formatted(options, heldBack, PIECES - freeCount, lost));
  }
}
