package dev.bluebell.server;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Process functions of the kernel that the device process uses. */
public final class Processes {
  private static final int PR_SET_TIMERSLACK = 29;
  private static final int PR_SET_PTRACER = 0x59616d61;
  private static final long PR_SET_PTRACER_ANY = -1;

  private static final String SHARED_MEMORY = "/memfd:";

  /** Protection of a {@link Span} without a mapping. */
  private static final int UNMAPPED = -1;

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
    return whyNotMapped(process, from, bytes, writable).isEmpty();
  }

  /**
   * Says which part of {@code [from, from + bytes)} does not make {@link #hasMapped} hold; empty
   * when it holds.
   */
  public static String whyNotMapped(WatchedProcess process, long from, long bytes, boolean writable)
      throws IOException {
    int protection = writable ? Mapping.PROT_READ | Mapping.PROT_WRITE : Mapping.PROT_READ;
    return gap(process, from, bytes, mapping -> mapping.allows(protection))
        .map(
            span ->
                (span.protection() == UNMAPPED
                        ? "the client has not mapped %s bytes at 0x%x"
                        : (span.protection() & Mapping.PROT_READ) == 0
                            ? "the client has mapped %s bytes at 0x%x without the right to read"
                            : "the client has mapped %s bytes at 0x%x read-only, but they must be"
                                + " writable")
                    .formatted(Long.toUnsignedString(span.bytes()), span.from()))
        .orElse("");
  }

  /**
   * True when a process has all of {@code [from, from + bytes)} mapped, readable and writable but
   * not executable, privately: not a file's, not shared with another process, and not a stack.
   */
  public static boolean hasToItself(WatchedProcess process, long from, long bytes)
      throws IOException {
    return gap(process, from, bytes, Processes::isPlain).isEmpty();
  }

  /**
   * An address range of a process with one protection.
   *
   * @param protection as for mmap: {@code PROT_READ}, {@code PROT_WRITE} and {@code PROT_EXEC}; -1
   *     when nothing is mapped
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
   * The first part of a range whose mapping does not satisfy a condition or is missing; empty when
   * all of the range is mapped so.
   */
  private static Optional<Span> gap(
      WatchedProcess process, long from, long bytes, Predicate<Mapping> condition)
      throws IOException {
    // Bytes that were checked, unsigned.
    long[] checked = {0};
    List<Span> gaps = new ArrayList<>(1);
    process.mappings(
        from,
        mapping -> {
          long at = from + checked[0];
          boolean covers = Long.compareUnsigned(mapping.from(), at) <= 0;
          if (!covers || !condition.test(mapping)) {
            long next = (covers ? mapping.to() : mapping.from()) - from;
            long last = Long.compareUnsigned(next, bytes) < 0 ? next : bytes;
            gaps.add(new Span(at, last - checked[0], covers ? mapping.protection() : UNMAPPED));
            return false;
          }
          checked[0] = mapping.to() - from;
          return Long.compareUnsigned(checked[0], bytes) < 0;
        });
    if (gaps.isEmpty() && Long.compareUnsigned(checked[0], bytes) < 0) {
      gaps.add(new Span(from + checked[0], bytes - checked[0], UNMAPPED));
    }
    return gaps.stream().findFirst();
  }
}
