package dev.bluebell.server;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Process functions of the kernel that the device process uses. */
public final class Processes {
  private static final int PR_SET_TIMERSLACK = 29;
  private static final int PR_SET_PTRACER = 0x59616d61;
  private static final long PR_SET_PTRACER_ANY = -1;

  private static final String SHARED_MEMORY = "/memfd:";

  private Processes() {}

  /** Puts this process into a session of its own, out of reach of the terminal's signals. */
  public static void leaveSession() throws IOException {
    Libc.setsid();
  }

  /**
   * Removes the timer slack, which ends sleeps up to 50 µs late, from this thread and the threads
   * that it starts from now on.
   */
  public static void sleepPrecisely() throws IOException {
    Libc.prctl(PR_SET_TIMERSLACK, 1);
  }

  /** User id of this process. */
  public static int userId() {
    return Libc.getuid();
  }

  /**
   * Lets device processes access this process's memory where Yama restricts that to ancestors. It
   * admits all processes of the user: Yama keeps one tracer for a process, which may use the
   * devices of several device processes.
   */
  public static void admitDeviceProcesses() {
    try {
      Libc.prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
    } catch (IOException e) {
      // EINVAL: nothing restricts it here.
    }
  }

  /**
   * True when a process has all of {@code [from, from + bytes)} mapped, readable and, if asked,
   * writable.
   */
  public static boolean hasMapped(WatchedProcess process, long from, long bytes, boolean writable)
      throws IOException {
    int protection = writable ? Mapping.PROT_READ | Mapping.PROT_WRITE : Mapping.PROT_READ;
    return mappingsAre(process, from, bytes, mapping -> mapping.allows(protection));
  }

  /**
   * True when a process has all of {@code [from, from + bytes)} mapped, readable and writable but
   * not executable, privately: not a file's, not shared with another process, and not a stack.
   */
  public static boolean hasToItself(WatchedProcess process, long from, long bytes)
      throws IOException {
    return mappingsAre(process, from, bytes, Processes::isPlain);
  }

  /**
   * An address range of a process with one protection.
   *
   * @param protection as for mmap: {@code PROT_READ}, {@code PROT_WRITE} and {@code PROT_EXEC}
   */
  public record Span(long from, long bytes, int protection) {
    public long end() {
      return from + bytes;
    }
  }

  /**
   * The parts of {@code [from, from + bytes)} in which a process has mapped shared memory whose
   * first byte is at {@code from}, in ascending order; adjacent parts with the same protection are
   * merged.
   *
   * @param inode see {@link SharedMemory#inode}
   */
  public static List<Span> whereMapped(WatchedProcess process, long from, long bytes, long inode)
      throws IOException {
    List<Span> spans = new ArrayList<>();
    process.mappings(
        from,
        mapping -> {
          if (mapping.inode() == inode
              && mapping.name().startsWith(SHARED_MEMORY)
              && mapping.from() - from == mapping.offset()
              && mapping.to() <= from + bytes) {
            add(spans, mapping);
          }
          return mapping.to() < from + bytes;
        });
    return spans;
  }

  private static void add(List<Span> spans, Mapping mapping) {
    boolean continues =
        !spans.isEmpty()
            && spans.getLast().end() == mapping.from()
            && spans.getLast().protection() == mapping.protection();
    long from = continues ? spans.removeLast().from() : mapping.from();
    spans.add(new Span(from, mapping.to() - from, mapping.protection()));
  }

  private static boolean isPlain(Mapping mapping) {
    return mapping.protection() == (Mapping.PROT_READ | Mapping.PROT_WRITE)
        && !mapping.shared()
        && mapping.inode() == 0
        && (mapping.name().isEmpty() || mapping.name().equals("[heap]"));
  }

  /**
   * True when all mappings of a range satisfy a condition; false when a part of the range is not
   * mapped.
   */
  private static boolean mappingsAre(
      WatchedProcess process, long from, long bytes, Predicate<Mapping> condition)
      throws IOException {
    // The end of what was checked, and whether that is all of the range.
    long[] at = {from};
    boolean[] all = {bytes == 0};
    process.mappings(
        from,
        mapping -> {
          if (Long.compareUnsigned(mapping.from(), at[0]) > 0 || !condition.test(mapping)) {
            all[0] = false;
            return false;
          }
          at[0] = mapping.to();
          all[0] = Long.compareUnsigned(mapping.to(), from + bytes) >= 0;
          return !all[0];
        });
    return all[0];
  }
}
