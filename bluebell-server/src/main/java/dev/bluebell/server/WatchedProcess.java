package dev.bluebell.server;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A process, held by a pidfd. The number of a process can name another one after its end, so
 * everything that uses the number asks {@link #hasEnded} first. Thread-safe.
 */
public final class WatchedProcess implements AutoCloseable {
  /** No line that is looked at has its interesting part further behind. */
  private static final int LINE_BYTES = 256;

  private static final int BUFFER_BYTES = 1 << 14;

  /** A thousand bytes for each of the mappings that the kernel allows by default. */
  private static final long MAX_FILE_BYTES = 1 << 26;

  // Indices among the fields of /proc/PID/stat behind the name.
  private static final int STATE = 0;
  private static final int FLAGS = 6;
  private static final int THREADS = 17;
  private static final int START_TIME = 19;

  /** PF_EXITING of the kernel, which is set before the process loses its memory. */
  private static final long EXITING = 0x4;

  private static final String MAPS = "maps";
  private static final int MAX_STAT_BYTES = 1 << 12;
  private static final short POLLIN = 1;

  /** Never waits here, so that the JVM need not know of the call. */
  private static final MethodHandle POLL =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("poll"),
              FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT),
              Linker.Option.critical(false));

  private final int pid;
  private final int pidfd;
  private final Identity identity;

  /** A pollfd; the answer is the number of those that are ready, so that threads can share it. */
  private final MemorySegment question = Arena.ofAuto().allocate(8, 4);

  private volatile boolean closed;

  /**
   * Tells processes of one machine apart, which a number alone does not.
   *
   * @param start of the process, in ticks since the machine started
   */
  private record Identity(int pid, long start) {}

  /**
   * @param pidfd of the process, which belongs to the result
   */
  WatchedProcess(int pid, int pidfd) throws IOException {
    this.pid = pid;
    this.pidfd = pidfd;
    question.set(JAVA_INT, 0, pidfd);
    question.set(JAVA_SHORT, 4, POLLIN);
    try {
      identity = new Identity(pid, number(stat(), START_TIME));
    } catch (IOException e) {
      Libc.close(pidfd);
      throw e;
    }
  }

  /**
   * Watches a process that can't end unnoticed meanwhile, such as a child of this one.
   *
   * @throws SocketException when there is no such process
   */
  public static WatchedProcess open(int pid) throws IOException {
    return new WatchedProcess(pid, Libc.pidfdOpen(pid));
  }

  /** Its number, from the kernel. */
  public int pid() {
    return pid;
  }

  /** What equals that of the same process alone. */
  public Object identity() {
    return identity;
  }

  /** A descriptor that becomes readable when the process ends. */
  int pidfd() {
    return pidfd;
  }

  /** True when the process has ended, or is not watched any more. */
  public boolean hasEnded() {
    if (closed) {
      return true;
    }
    try {
      int ready;
      do {
        ready = (int) POLL.invokeExact(question, 1L, 0);
      } while (ready < 0);
      return ready > 0;
    } catch (Throwable e) {
      throw new LinkageError("a call of the C library failed", e);
    }
  }

  /**
   * True when the process {@linkplain #hasEnded has ended} or is about to: its memory is gone a
   * while before. Reads a file of {@code /proc}.
   */
  public boolean isEnding() {
    try {
      if (hasEnded()) {
        return true;
      }
      String[] fields = stat();
      // A zombie with threads is one whose main thread alone has ended.
      return (number(fields, FLAGS) & EXITING) != 0
          && !(fields[STATE].equals("Z") && number(fields, THREADS) > 1);
    } catch (IOException e) {
      // Without the file there is no process, or none that can be looked at.
      return hasEnded();
    }
  }

  /** Number of its threads. */
  public int threads() throws IOException {
    return (int) number(stat(), THREADS);
  }

  /**
   * True for a process in the user namespace of this process, to which its capabilities are
   * relative: in one of its own, every process has all.
   */
  public boolean isInOwnUserNamespace() throws IOException {
    try (HeldFile own = HeldFile.open(Path.of("/proc/self/ns/user"));
        HeldFile other = HeldFile.open(path("ns/user"))) {
      return !hasEnded() && own.key().equals(other.key());
    }
  }

  private SocketException ended() {
    return new SocketException("process %d has ended".formatted(pid));
  }

  private Path path(String name) {
    return Path.of("/proc", Integer.toString(pid), name);
  }

  // An open file is that of the process which had the number then.
  private InputStream open(String name) throws IOException {
    InputStream file;
    try {
      file = Files.newInputStream(path(name));
    } catch (IOException e) {
      throw hasEnded() ? ended() : e;
    }
    if (hasEnded()) {
      file.close();
      throw ended();
    }
    return file;
  }

  private String[] stat() throws IOException {
    try (InputStream in = open("stat")) {
      String stat = new String(in.readNBytes(MAX_STAT_BYTES), ISO_8859_1);
      // The name before it has any bytes.
      return stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
    }
  }

  private long number(String[] fields, int index) throws IOException {
    try {
      return Long.parseLong(fields[index]);
    } catch (IndexOutOfBoundsException | NumberFormatException e) {
      throw new IOException("the kernel does not report the state of process %d".formatted(pid), e);
    }
  }

  /**
   * Passes the lines of a file below {@code /proc/PID} on, as long as they are wanted. Takes the
   * same memory for a file of any size.
   *
   * @param more gets the first 256 bytes of each line; false ends it
   * @throws IOException when the file has more than 64 MiB before the end
   */
  public void lines(String name, Predicate<String> more) throws IOException {
    try (InputStream in = open(name)) {
      byte[] buffer = new byte[BUFFER_BYTES];
      byte[] line = new byte[LINE_BYTES];
      int length = 0;
      long all = 0;
      for (int count = in.read(buffer); count > 0; count = in.read(buffer)) {
        all += count;
        if (all > MAX_FILE_BYTES) {
          throw new IOException(
              "%s has more than %d MiB".formatted(path(name), MAX_FILE_BYTES >> 20));
        }
        for (int i = 0; i < count; i++) {
          if (buffer[i] != '\n') {
            if (length < LINE_BYTES) {
              line[length++] = buffer[i];
            }
          } else if (more.test(new String(line, 0, length, ISO_8859_1))) {
            length = 0;
          } else {
            return;
          }
        }
      }
    }
  }

  /**
   * Passes the mappings of the process on, in ascending order and as long as they are wanted: from
   * the one that has an address, or the first one behind it.
   *
   * @param more false ends it
   * @throws IOException as {@link #lines} where the kernel lists them only
   */
  void mappings(long address, Predicate<Mapping> more) throws IOException {
    if (MappingQuery.isSupported()) {
      askMappings(address, more);
    } else {
      listMappings(address, more);
    }
  }

  private void askMappings(long address, Predicate<Mapping> more) throws IOException {
    try (MappingQuery query = openMappings()) {
      if (hasEnded()) {
        throw ended();
      }
      Optional<Mapping> mapping = query.next(address);
      while (mapping.isPresent() && more.test(mapping.get())) {
        mapping = query.next(mapping.get().to());
      }
    }
  }

  private MappingQuery openMappings() throws IOException {
    try {
      return MappingQuery.open(path(MAPS));
    } catch (IOException e) {
      throw hasEnded() ? ended() : e;
    }
  }

  /** The same from the list of all mappings. */
  void listMappings(long address, Predicate<Mapping> more) throws IOException {
    lines(
        MAPS,
        line -> {
          Mapping mapping = Mapping.parse(line);
          return Long.compareUnsigned(mapping.to(), address) <= 0 || more.test(mapping);
        });
  }

  /**
   * Holds a file that the process has open, whatever kind of file it is.
   *
   * @param fd any number
   * @throws IOException when it is no open descriptor of the process
   */
  public HeldFile hold(int fd) throws IOException {
    HeldFile file = HeldFile.open(path("fd/" + fd));
    if (hasEnded()) {
      file.close();
      throw ended();
    }
    return file;
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      Libc.close(pidfd);
    }
  }
}
