package dev.bluebell.server;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.bluebell.hca.text.Printable;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.net.SocketException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;

/**
 * A process, held by a pidfd. A pid may be reused after the process ends, so every use of the pid
 * checks {@link #hasEnded} first. Thread-safe.
 */
public final class WatchedProcess implements AutoCloseable {
  /** The needed part of every line is within this length. */
  private static final int LINE_BYTES = 256;

  private static final int BUFFER_BYTES = 1 << 14;

  /** A thousand bytes for each of the mappings that the kernel allows by default. */
  private static final long MAX_FILE_BYTES = 1 << 26;

  // Indices of the fields of /proc/PID/stat after the name.
  private static final int STATE = 0;
  private static final int FLAGS = 6;
  private static final int THREADS = 17;
  private static final int START_TIME = 19;

  /** PF_EXITING of the kernel, which is set before the process loses its memory. */
  private static final long EXITING = 0x4;

  private static final int O_RDONLY = 0;
  private static final String MAPS = "maps";
  private static final int MAX_STAT_BYTES = 1 << 12;

  /** Never blocks here, so it can be a critical call. */
  private static final MethodHandle POLL =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("poll"),
              FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT),
              Linker.Option.critical(false));

  private static final MethodHandle PREAD =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("pread"),
              FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG),
              Linker.Option.critical(false));

  private static final int UNOPENED = Integer.MIN_VALUE;

  private final int pid;
  private final int pidfd;
  private final Identity identity;

  /** A pollfd. Threads can share it, as only the call's return value is used. */
  private final MemorySegment question = Arena.ofAuto().allocate(8, 4);

  /** The thread by which the kernel finds memory and descriptors, see {@link #thread}. */
  private volatile int thread;

  /** {@code /proc/PID/pagemap}, which belongs to the address space at its open; or negative. */
  private volatile int pagemap = UNOPENED;

  private volatile boolean closed;

  /**
   * Identity of a process on this machine; a pid alone may be reused.
   *
   * @param start of the process, in ticks since the machine started
   */
  private record Identity(int pid, long start) {}

  /**
   * @param pidfd of the process, which belongs to the result
   */
  WatchedProcess(int pid, int pidfd) throws IOException {
    this.pid = pid;
    thread = pid;
    this.pidfd = pidfd;
    question.set(JAVA_INT, 0, pidfd);
    question.set(JAVA_SHORT, 4, Libc.POLLIN);
    try {
      identity = new Identity(pid, number(stat(), START_TIME));
    } catch (IOException e) {
      Libc.close(pidfd);
      throw e;
    }
  }

  /**
   * Watches a process whose pid can't be reused meanwhile, such as a child of this one.
   *
   * @throws SocketException when there is no such process
   */
  public static WatchedProcess open(int pid) throws IOException {
    return new WatchedProcess(pid, Libc.pidfdOpen(pid));
  }

  /** Its number and, while it runs, its name, for people to read. */
  public String named() {
    try {
      String name = Printable.line(Files.readString(path("comm"), ISO_8859_1).strip());
      return hasEnded() ? String.valueOf(pid) : "%d (%s)".formatted(pid, name);
    } catch (IOException ended) {
      return String.valueOf(pid);
    }
  }

  /** Its number, from the kernel. */
  public int pid() {
    return pid;
  }

  /**
   * The number by which the kernel finds the memory of the process: its own, or that of another
   * thread once its main thread has ended by pthread_exit.
   */
  int thread() {
    int current = thread;
    if (current != pid && !Files.exists(path("task/" + current))) {
      boolean unused = moveOn();
    }
    return thread;
  }

  /**
   * Chooses another thread if the chosen one has ended. Call it when the kernel does not find
   * memory or descriptors.
   *
   * @return false if there is no reason to try again
   */
  boolean moveOn() {
    if (hasMemory(thread)) {
      return false;
    }
    try (DirectoryStream<Path> all = open("task", Files::newDirectoryStream)) {
      for (Path each : all) {
        int other = Integer.parseInt(each.getFileName().toString());
        if (hasMemory(other)) {
          thread = other;
          return true;
        }
      }
    } catch (IOException | DirectoryIteratorException ended) {
      // There are no threads any more.
    }
    return false;
  }

  // The program is that of the thread's memory.
  private boolean hasMemory(int number) {
    try {
      return !Files.readSymbolicLink(path("task/%d/exe".formatted(number))).toString().isEmpty();
    } catch (IOException noMemory) {
      return false;
    }
  }

  /** Identity of the process: equal only for the same process. */
  public Object identity() {
    return identity;
  }

  /** A descriptor that becomes readable when the process ends. */
  int pidfd() {
    return pidfd;
  }

  /** True when the process has ended, or is no longer watched. */
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
   * True when the process has executed another program since the first call of this method: its
   * memory is no longer the one that was registered. A process that has ended may count as such.
   */
  boolean isReplaced() {
    int file = pagemap == UNOPENED ? openPagemap() : pagemap;
    try {
      // The kernel refuses to read one byte of entries of 8 bytes. But first it checks whether a
      // process has the address space: if none has it, the file has ended.
      return (long) PREAD.invokeExact(file, question, 1L, 0L) == 0;
    } catch (Throwable e) {
      throw new LinkageError("a call of the C library failed", e);
    }
  }

  // Where the file can't be opened, nothing is known, as the call then fails for another reason.
  private synchronized int openPagemap() {
    if (pagemap == UNOPENED && !closed) {
      boolean unused = moveOn();
      pagemap = (int) Libc.tryOpen(ofThread("pagemap"), O_RDONLY, 0);
    }
    return pagemap;
  }

  /**
   * True when the process {@linkplain #hasEnded has ended} or is about to: it loses its memory some
   * time before it ends. Reads a file of {@code /proc}.
   */
  public boolean isEnding() {
    try {
      if (hasEnded()) {
        return true;
      }
      String[] fields = stat();
      // In a zombie with threads, only the main thread has ended.
      return (number(fields, FLAGS) & EXITING) != 0
          && !(fields[STATE].equals("Z") && number(fields, THREADS) > 1);
    } catch (IOException e) {
      // Without the file, the process is gone or can't be inspected.
      return hasEnded();
    }
  }

  /** Number of its threads. */
  public int threads() throws IOException {
    return (int) number(stat(), THREADS);
  }

  /**
   * True if the process is in this process's user namespace. Capabilities are relative to the
   * namespace: a process in a namespace of its own may have all of them.
   */
  public boolean isInOwnUserNamespace() throws IOException {
    try (HeldFile own = HeldFile.open(Path.of("/proc/self/ns/user"));
        HeldFile other = open("ns/user", HeldFile::open)) {
      return own.key().equals(other.key());
    }
  }

  private SocketException ended() {
    return new SocketException("process %d has ended".formatted(pid));
  }

  private Path path(String name) {
    return Path.of("/proc", Integer.toString(pid), name);
  }

  private Path ofThread(String name) {
    return path("task/%d/%s".formatted(thread, name));
  }

  /** Opens a file below {@code /proc/PID}. */
  private interface Opener<T> {
    T open(Path path) throws IOException;
  }

  /** Opens a file of memory or descriptors, which the kernel has for each thread. */
  private <T extends Closeable> T openOfThread(String name, Opener<T> opener) throws IOException {
    try {
      return open(ofThread(name), opener);
    } catch (IOException e) {
      if (moveOn()) {
        return open(ofThread(name), opener);
      }
      throw e;
    }
  }

  private <T extends Closeable> T open(String name, Opener<T> opener) throws IOException {
    return open(path(name), opener);
  }

  // An open file belongs to the process that had the pid when it was opened.
  private <T extends Closeable> T open(Path path, Opener<T> opener) throws IOException {
    T file;
    try {
      file = opener.open(path);
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
    try (InputStream in = open("stat", Files::newInputStream)) {
      String stat = new String(in.readNBytes(MAX_STAT_BYTES), ISO_8859_1);
      // The name may contain any bytes, so search from the end.
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
   * Passes on the lines of a file below {@code /proc/PID} while the consumer wants more. Memory use
   * does not depend on the file's size.
   *
   * @param more gets the first 256 bytes of each line; returns false to stop
   * @throws IOException when more than 64 MiB are read before the consumer stops
   */
  public void lines(String name, Predicate<String> more) throws IOException {
    try (InputStream in = openOfThread(name, Files::newInputStream)) {
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
   * Passes on the mappings of the process in ascending order while the consumer wants more,
   * starting at the one that contains an address, or the first one after it.
   *
   * @param more returns false to stop
   * @throws IOException as {@link #lines} where the kernel lists them only
   */
  void mappings(long address, Predicate<Mapping> more) throws IOException {
    // Without its memory, a thread has an empty list, or none.
    boolean unused = moveOn();
    if (MappingQuery.isSupported()) {
      askMappings(address, more);
    } else {
      listMappings(address, more);
    }
  }

  private void askMappings(long address, Predicate<Mapping> more) throws IOException {
    try (MappingQuery query = openOfThread(MAPS, MappingQuery::new)) {
      Optional<Mapping> mapping = query.next(address);
      while (mapping.isPresent() && more.test(mapping.get())) {
        mapping = query.next(mapping.get().to());
      }
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
    return openOfThread("fd/" + fd, HeldFile::open);
  }

  /**
   * Whether a file is open at a descriptor of the process.
   *
   * @param file its {@link HeldFile#key}
   */
  public boolean isOpen(int fd, Object file) {
    try (HeldFile held = hold(fd)) {
      return held.key().equals(file);
    } catch (IOException noDescriptor) {
      return false;
    }
  }

  /**
   * Finds a descriptor of the process at which a file is open. Looks at all of its descriptors.
   *
   * @param file its {@link HeldFile#key}
   */
  public OptionalInt descriptorOf(Object file) throws IOException {
    try (DirectoryStream<Path> all = openOfThread("fd", Files::newDirectoryStream)) {
      for (Path each : all) {
        int fd = Integer.parseInt(each.getFileName().toString());
        if (isOpen(fd, file)) {
          return OptionalInt.of(fd);
        }
      }
      return OptionalInt.empty();
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      Libc.close(pidfd);
      if (pagemap >= 0) {
        Libc.close(pagemap);
      }
    }
  }
}
