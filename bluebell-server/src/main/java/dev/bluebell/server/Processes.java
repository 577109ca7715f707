package dev.bluebell.server;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Asks the kernel about processes, for the device process. */
public final class Processes {
  private static final int PR_SET_TIMERSLACK = 29;
  private static final int PR_SET_PTRACER = 0x59616d61;

  // sys/mman.h.
  private static final int PROT_READ = 1;
  private static final int PROT_WRITE = 2;
  private static final int PROT_EXEC = 4;

  // In a line of /proc/PID/maps, behind the addresses.
  private static final int PERMISSIONS = 1;
  private static final String NO_FILE = "0";
  private static final String SHARED_MEMORY = "/memfd:";

  private Processes() {}

  /** Puts this process into a session of its own, out of reach of the terminal's signals. */
  public static void leaveSession() throws IOException {
    Libc.setsid();
  }

  /**
   * Makes sleeps of this thread, and of threads that it starts from now on, end in time rather than
   * up to 50 µs late.
   */
  public static void sleepPrecisely() throws IOException {
    Libc.prctl(PR_SET_TIMERSLACK, 1);
  }

  /** User id of this process. */
  public static int userId() {
    return Libc.getuid();
  }

  /** Lets a process reach this one's memory where Yama restricts that to ancestors. */
  public static void admit(int pid) {
    try {
      Libc.prctl(PR_SET_PTRACER, pid);
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
    return mappingsAre(
        process,
        from,
        bytes,
        mapping ->
            mapping.charAt(PERMISSIONS) == 'r'
                && (!writable || mapping.charAt(PERMISSIONS + 1) == 'w'));
  }

  /**
   * True when a process has all of {@code [from, from + bytes)} mapped, readable and writable, for
   * itself alone: it is not of a file, not shared with another process, and not a stack.
   */
  public static boolean hasToItself(WatchedProcess process, long from, long bytes)
      throws IOException {
    return mappingsAre(process, from, bytes, Processes::isPlain);
  }

  /**
   * Addresses of a process that it may access in one way.
   *
   * @param protection as for mmap: {@code PROT_READ}, {@code PROT_WRITE} and {@code PROT_EXEC}
   */
  public record Span(long from, long bytes, int protection) {
    public long end() {
      return from + bytes;
    }
  }

  /**
   * The parts of {@code [from, from + bytes)} in which a process has mapped shared memory so that
   * its first byte is at {@code from}, in ascending order; adjacent ones that the process may
   * access alike are one.
   *
   * @param inode see {@link SharedMemory#inode}
   */
  public static List<Span> whereMapped(WatchedProcess process, long from, long bytes, long inode)
      throws IOException {
    List<Span> spans = new ArrayList<>();
    process.lines(
        "maps",
        line -> {
          String[] fields = line.split(" +", 6);
          if (fields.length < 6
              || !fields[4].equals(Long.toUnsignedString(inode))
              || !fields[5].startsWith(SHARED_MEMORY)) {
            return true;
          }
          long start = start(line);
          long end = end(line);
          if (start - from == Long.parseUnsignedLong(fields[2], 16) && end <= from + bytes) {
            add(spans, start, end, protection(fields[1]));
          }
          return true;
        });
    return spans;
  }

  private static void add(List<Span> spans, long start, long end, int protection) {
    boolean continues =
        !spans.isEmpty()
            && spans.getLast().end() == start
            && spans.getLast().protection() == protection;
    long from = continues ? spans.removeLast().from() : start;
    spans.add(new Span(from, end - from, protection));
  }

  private static long start(String line) {
    return Long.parseUnsignedLong(line, 0, line.indexOf('-'), 16);
  }

  private static long end(String line) {
    return Long.parseUnsignedLong(line, line.indexOf('-') + 1, line.indexOf(' '), 16);
  }

  private static int protection(String permissions) {
    return (permissions.charAt(0) == 'r' ? PROT_READ : 0)
        | (permissions.charAt(1) == 'w' ? PROT_WRITE : 0)
        | (permissions.charAt(2) == 'x' ? PROT_EXEC : 0);
  }

  private static boolean isPlain(String mapping) {
    String[] fields = mapping.strip().split(" +", 5);
    return fields[0].startsWith("rw")
        && fields[0].endsWith("p")
        && fields[3].equals(NO_FILE)
        && (fields.length == 4 || fields[4].equals("[heap]"));
  }

  /**
   * True when all mappings of a range satisfy a condition, which gets the line of {@code
   * /proc/PID/maps} behind the addresses; false when a part of the range is not mapped.
   */
  private static boolean mappingsAre(
      WatchedProcess process, long from, long bytes, Predicate<String> condition)
      throws IOException {
    // How far they do, and whether that is far enough.
    long[] at = {from};
    boolean[] all = {bytes == 0};
    process.lines(
        "maps",
        line -> {
          long end = end(line);
          if (Long.compareUnsigned(end, at[0]) <= 0) {
            return true;
          }
          if (Long.compareUnsigned(start(line), at[0]) > 0
              || !condition.test(line.substring(line.indexOf(' ')))) {
            all[0] = false;
            return false;
          }
          at[0] = end;
          all[0] = Long.compareUnsigned(end, from + bytes) >= 0;
          return !all[0];
        });
    return all[0];
  }
}
