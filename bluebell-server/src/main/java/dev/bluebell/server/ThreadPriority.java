package dev.bluebell.server;

import dev.bluebell.hca.HcaPrecedence;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Optional;

/**
 * Raises a thread's priority: the lowest real-time priority of Linux ({@code sched(7)}: SCHED_RR),
 * or a nice value where only that is allowed. Threads that it starts inherit neither. Several
 * threads may use one instance, each for itself.
 */
public final class ThreadPriority implements HcaPrecedence {
  // sched.h
  private static final int CALLER = 0;
  private static final int SCHED_OTHER = 0;
  private static final int SCHED_RR = 2;
  private static final int SCHED_RESET_ON_FORK = 0x40000000;
  private static final int LOWEST = 1;

  /** Priority of the watching thread, above the lowest. */
  private static final int WATCHING = LOWEST + 1;

  /** Nice values to try in order, as RLIMIT_NICE may forbid some. */
  private static final int[] NICE = {-20, -15, -10, -5};

  /** Bits of {@code cpu_set_t}; on machines with more processors, threads are not moved. */
  private static final int PROCESSORS = 1024;

  private static final Path STATUS = Path.of("/proc/thread-self/stat");

  /** Index of the nice value in {@code proc(5)}'s stat, counted after the name. */
  private static final int NICE_FIELD = 16;

  private final int niceBefore;

  // Whether a thread watches the threads with real-time priority.
  private volatile boolean watched;

  /** For threads whose nice value is that of the calling one. */
  public ThreadPriority() throws IOException {
    String status = Files.readString(STATUS);
    niceBefore =
        Integer.parseInt(status.substring(status.lastIndexOf(')') + 2).split(" ")[NICE_FIELD]);
  }

  /** Kinds of raised priority. */
  public enum Kind {
    REAL_TIME,
    NICE,
    NOT_AT_ALL
  }

  /**
   * The best kind that threads may get. The calling thread must have none, and has none afterwards.
   */
  public Kind allowed() {
    Kind kind = takeBest(WATCHING);
    new OfThread().giveUp();
    return kind;
  }

  /** Takes real-time priority only while a thread of higher priority watches. */
  @Override
  public Optional<Held> take() {
    Kind kind = watched ? takeBest(LOWEST) : takeNice();
    return kind == Kind.NOT_AT_ALL ? Optional.empty() : Optional.of(new OfThread());
  }

  @Override
  public void watch() {
    watched = takeBest(WATCHING) == Kind.REAL_TIME;
  }

  private static Kind takeBest(int priority) {
    return schedule(CALLER, SCHED_RR, priority) ? Kind.REAL_TIME : takeNice();
  }

  private static Kind takeNice() {
    for (int nice : NICE) {
      if (Libc.setNice(CALLER, nice) == 0) {
        return Kind.NICE;
      }
    }
    return Kind.NOT_AT_ALL;
  }

  /** The raised priority of the calling thread. */
  private final class OfThread implements Held {
    private final int thread = Libc.gettid();

    @Override
    public void move() {
      moveOn();
    }

    @Override
    public void giveUp() {
      boolean unused = schedule(thread, SCHED_OTHER, 0);
      long ignored = Libc.setNice(thread, niceBefore);
    }
  }

  private static void moveOn() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment allowed = arena.allocate(PROCESSORS / Byte.SIZE, Long.BYTES);
      int here = (int) Libc.schedGetcpu();
      if (here < 0 || Libc.schedGetaffinity(allowed) < 0) {
        return;
      }
      MemorySegment next = arena.allocate(allowed.byteSize(), Long.BYTES);
      BitSet processors = BitSet.valueOf(allowed.asByteBuffer());
      next.copyFrom(MemorySegment.ofArray(onlyAfter(here, processors).toByteArray()));
      // The first call moves the thread; the second restores its mask, and the thread stays there.
      if (Libc.schedSetaffinity(next) == 0) {
        long unused = Libc.schedSetaffinity(allowed);
      }
    }
  }

  private static BitSet onlyAfter(int here, BitSet processors) {
    int next = processors.nextSetBit(here + 1);
    BitSet only = new BitSet();
    only.set(next >= 0 ? next : processors.nextSetBit(0));
    return only;
  }

  // An unprivileged thread may not clear the flag once it is set.
  private static boolean schedule(int thread, int policy, int priority) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment parameters = arena.allocateFrom(ValueLayout.JAVA_INT, priority);
      return Libc.schedSetscheduler(thread, policy | SCHED_RESET_ON_FORK, parameters) == 0;
    }
  }
}
