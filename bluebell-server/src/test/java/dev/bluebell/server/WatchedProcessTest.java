package dev.bluebell.server;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.management.ManagementFactory;
import java.net.SocketException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Access to a process, until and after its end. */
class WatchedProcessTest {
  private static final int OWN = (int) ProcessHandle.current().pid();
  private static final int PAGE = 4096;

  @TempDir private Path folder;

  private static Process sleep() throws IOException {
    return new ProcessBuilder("sleep", "1000").start();
  }

  private static void end(Process process) throws InterruptedException {
    process.destroyForcibly();
    assertThat(process.waitFor()).isPositive();
  }

  @Test
  void theEndOfAProcessIsSeen() throws IOException, InterruptedException {
    Process process = sleep();
    try (WatchedProcess watched = WatchedProcess.open((int) process.pid())) {
      assertThat(watched.hasEnded()).isFalse();
      end(process);
      assertThat(watched.hasEnded()).isTrue();
    }
    assertThatThrownBy(() -> WatchedProcess.open((int) process.pid()))
        .isInstanceOf(SocketException.class)
        .hasMessageContaining("has ended");
  }

  @Test
  void theEndOfAProcessIsDistinguishedFromMissingMemory() throws IOException, InterruptedException {
    Process process = sleep();
    try (WatchedProcess watched = WatchedProcess.open((int) process.pid())) {
      ProcessMemory memory = new ProcessMemory(watched);
      assertThat(watched.isEnding()).isFalse();
      assertThat(memory.hasEnded()).isFalse();
      end(process);
      assertThat(watched.isEnding()).isTrue();
      assertThat(memory.hasEnded()).isTrue();
    }
  }

  /** Its memory is gone then, but the process still exists. */
  @Test
  void aProcessWhoseParentHasNotWaitedForItIsEnding() throws IOException, InterruptedException {
    Process parent =
        new ProcessBuilder("sh", "-c", "exec 3<&0; cat <&3 & echo $!; exec sleep 1000")
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (var out = parent.inputReader();
        WatchedProcess child = WatchedProcess.open(Integer.parseInt(out.readLine()))) {
      // The shell may wait for its child, sleep does not.
      while (!Arrays.equals(parent.info().arguments().orElse(null), new String[] {"1000"})) {
        Thread.onSpinWait();
      }
      parent.getOutputStream().close();
      while (!child.isEnding()) {
        Thread.onSpinWait();
      }
      assertThat(child.isEnding()).isTrue();
    } finally {
      end(parent);
    }
  }

  @Test
  void aProcessThatIsNotWatchedAnyMoreHasEnded() throws IOException {
    WatchedProcess watched = WatchedProcess.open(OWN);
    watched.close();
    watched.close();
    assertThat(watched.hasEnded()).isTrue();
  }

  @Test
  void theMemoryOfAProcessWithAReusedNumberIsNotReached() throws IOException, InterruptedException {
    Process ended = sleep();
    try (Arena arena = Arena.ofConfined();
        WatchedProcess watched = new WatchedProcess(OWN, Libc.pidfdOpen((int) ended.pid()))) {
      MemorySegment here = arena.allocateFrom("here");
      MemorySegment there = arena.allocateFrom("away");
      ProcessMemory memory = new ProcessMemory(watched);
      assertThat(memory.read(here.address(), there)).isTrue();
      assertThat(there.getString(0)).isEqualTo("here");
      end(ended);
      there.setString(0, "away");
      assertThat(memory.read(here.address(), there)).isFalse();
      assertThat(memory.write(here.address(), there)).isFalse();
      assertThat(there.getString(0)).isEqualTo("away");
      assertThat(here.getString(0)).isEqualTo("here");
      assertThatThrownBy(() -> watched.lines("maps", line -> true))
          .isInstanceOf(SocketException.class);
      assertThatThrownBy(() -> Processes.hasMapped(watched, here.address(), 5, false))
          .isInstanceOf(SocketException.class);
      assertThatThrownBy(() -> watched.hold(0)).isInstanceOf(SocketException.class);
    }
  }

  @Test
  void theMemoryOfAnotherProgramThatTheProcessExecutesIsNotReached()
      throws IOException, InterruptedException {
    Process process = new ProcessBuilder("sh", "-c", "read line; exec sleep 1000").start();
    try (Arena arena = Arena.ofConfined();
        WatchedProcess watched = WatchedProcess.open((int) process.pid())) {
      MemorySegment here = arena.allocate(8);
      ProcessMemory memory = new ProcessMemory(watched);
      long stack = stackOf(watched);
      assertThat(memory.read(stack, here)).isTrue();
      assertThat(memory.write(stack, here)).isTrue();
      process.outputWriter().append('\n').close();
      while (!Arrays.equals(process.info().arguments().orElse(null), new String[] {"1000"})) {
        Thread.onSpinWait();
      }
      stack = stackOf(watched);
      assertThat(memory.write(stack, here)).isFalse();
      assertThat(memory.read(stack, here)).isFalse();
      assertThat(memory.hasEnded()).isTrue();
      assertThat(watched.hasEnded()).isFalse();
    } finally {
      end(process);
    }
  }

  private static long stackOf(WatchedProcess process) throws IOException {
    AtomicLong from = new AtomicLong();
    process.mappings(
        0,
        mapping -> {
          from.set(mapping.name().equals("[stack]") ? mapping.from() : 0);
          return from.get() == 0;
        });
    return from.get();
  }

  @Test
  void aFileIsFoundAtAnyDescriptorOfAProcess() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("sh", "-c", "exec 7<&0 0</dev/null; echo; exec sleep 1000").start();
    try (WatchedProcess watched = WatchedProcess.open((int) process.pid());
        HeldFile stranger = HeldFile.open(Path.of("/"))) {
      assertThat(process.inputReader().readLine()).isEmpty();
      Object file;
      try (HeldFile held = watched.hold(7)) {
        file = held.key();
      }
      assertThat(watched.descriptorOf(file)).hasValue(7);
      assertThat(watched.isOpen(7, file)).isTrue();
      assertThat(watched.isOpen(0, file)).isFalse();
      assertThat(watched.isOpen(100, file)).isFalse();
      assertThat(watched.descriptorOf(stranger.key())).isEmpty();
    } finally {
      end(process);
    }
  }

  @Test
  void processesAreDistinguishedByMoreThanTheirNumbers() throws IOException, InterruptedException {
    Process process = sleep();
    try (WatchedProcess one = WatchedProcess.open(OWN);
        WatchedProcess same = WatchedProcess.open(OWN);
        WatchedProcess other = WatchedProcess.open((int) process.pid())) {
      assertThat(one.identity()).isEqualTo(same.identity()).isNotEqualTo(other.identity());
      assertThat(one.identity()).isNotEqualTo(OWN);
    } finally {
      end(process);
    }
  }

  @Test
  void linesAreReadUntilTheReaderHasEnough() throws IOException {
    try (WatchedProcess own = WatchedProcess.open(OWN)) {
      List<String> all = new ArrayList<>();
      own.lines("status", all::add);
      assertThat(all).first().asString().startsWith("Name:");
      assertThat(all).anyMatch(line -> line.equals("Pid:\t" + OWN));
      List<String> two = new ArrayList<>();
      own.lines("status", line -> two.add(line) && two.size() < 2);
      assertThat(two).isEqualTo(all.subList(0, 2));
    }
  }

  @Test
  void mappingsOfFilesWithLongPathsTakeNoMemory() throws IOException {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (Arena arena = Arena.ofConfined();
        WatchedProcess own = WatchedProcess.open(OWN)) {
      MemorySegment mapped = map(longPath(), 5000, arena);
      long text = mapsBytes();
      assertThat(text).isGreaterThan(15 << 20);
      long before = threads.getCurrentThreadAllocatedBytes();
      assertThat(listed(own, mapped.address()).name()).isEqualTo(Mapping.LONG_NAME);
      assertThat(Processes.hasMapped(own, mapped.address(), PAGE, false)).isTrue();
      assertThat(Processes.hasMapped(own, mapped.address(), PAGE, true)).isFalse();
      assertThat(Processes.hasToItself(own, mapped.address(), PAGE)).isFalse();
      assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(text);
    }
  }

  @Test
  void aMappingQueryReturnsTheListedMapping() throws IOException {
    assumeTrue(MappingQuery.isSupported());
    try (Arena arena = Arena.ofConfined();
        SharedMemory shared = SharedMemory.sparse("test", PAGE);
        WatchedProcess own = WatchedProcess.open(OWN)) {
      for (MemorySegment mapped : List.of(map(longPath(), 1, arena), shared.segment())) {
        List<Mapping> asked = new ArrayList<>();
        own.mappings(
            mapped.address() + 1,
            mapping -> {
              asked.add(mapping);
              return false;
            });
        assertThat(asked).containsExactly(listed(own, mapped.address()));
      }
    }
  }

  @Test
  void aRangeWithAGapIsNotMapped() throws IOException {
    try (WatchedProcess own = WatchedProcess.open(OWN)) {
      // The first page of memory is never mapped, and the last belongs to the kernel.
      assertThat(Processes.hasMapped(own, 0, PAGE, false)).isFalse();
      assertThat(Processes.hasMapped(own, -PAGE, PAGE, false)).isFalse();
      assertThat(Processes.whyNotMapped(own, 0, PAGE, false))
          .isEqualTo("the client has not mapped %d bytes at 0x0".formatted(PAGE));
    }
  }

  @Test
  void thePartOfARangeWithTheWrongProtectionIsNamed() throws IOException {
    try (SharedMemory memory = SharedMemory.sparse("test", 4L * PAGE);
        WatchedProcess own = WatchedProcess.open(OWN)) {
      long from = memory.segment().address();
      protect(memory.segment().asSlice(PAGE, 2L * PAGE), Mapping.PROT_READ);
      assertThat(Processes.whyNotMapped(own, from, 4L * PAGE, false)).isEmpty();
      assertThat(Processes.whyNotMapped(own, from, 4L * PAGE, true))
          .isEqualTo(
              "the client has mapped %d bytes at 0x%x read-only, but they must be writable"
                  .formatted(2 * PAGE, from + PAGE));
      assertThat(Processes.whyNotMapped(own, from, 2L * PAGE, true))
          .contains("has mapped %d bytes at".formatted(PAGE));
      protect(memory.segment().asSlice(PAGE, PAGE), 0);
      assertThat(Processes.whyNotMapped(own, from, 4L * PAGE, true))
          .isEqualTo(
              "the client has mapped %d bytes at 0x%x without the right to read"
                  .formatted(PAGE, from + PAGE));
    }
  }

  /** The mapping that contains an address, from the list. */
  private static Mapping listed(WatchedProcess process, long address) throws IOException {
    List<Mapping> found = new ArrayList<>();
    process.listMappings(
        address,
        mapping -> {
          found.add(mapping);
          return false;
        });
    return found.getFirst();
  }

  @Test
  void anExcessiveListOfMappingsIsNotRead() throws IOException {
    try (Arena arena = Arena.ofConfined();
        WatchedProcess own = WatchedProcess.open(OWN)) {
      Path path = longPath();
      MemorySegment mapped = map(path, 18_000, arena);
      assertThat(mapped.byteSize()).isEqualTo(PAGE);
      assertThatThrownBy(() -> own.lines("maps", line -> true))
          .isInstanceOf(IOException.class)
          .hasMessage("/proc/%d/maps has more than 64 MiB", OWN);
    }
  }

  /** A file whose path has nearly the maximum length. */
  private Path longPath() throws IOException {
    Path path = folder;
    while (path.toString().length() < 3700) {
      path = path.resolve("x".repeat(200));
    }
    Files.createDirectories(path);
    Path file = path.resolve("file");
    Files.write(file, "x".repeat(2 * PAGE).getBytes(US_ASCII));
    return file;
  }

  private static void protect(MemorySegment pages, int protection) {
    MethodHandle mprotect =
        Linker.nativeLinker()
            .downcallHandle(
                Linker.nativeLinker().defaultLookup().findOrThrow("mprotect"),
                FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    try {
      assertThat((int) mprotect.invokeExact(pages, pages.byteSize(), protection)).isZero();
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** Maps a page of a file a number of times, as separate mappings; returns the last one. */
  private static MemorySegment map(Path path, int times, Arena arena) throws IOException {
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
      MemorySegment last = MemorySegment.NULL;
      for (int i = 0; i < times; i++) {
        last = file.map(MapMode.READ_ONLY, 0, PAGE, arena);
      }
      return last;
    }
  }

  private static long mapsBytes() throws IOException {
    long bytes = 0;
    try (var in = Files.newInputStream(Path.of("/proc/self/maps"))) {
      byte[] buffer = new byte[1 << 16];
      for (int count = in.read(buffer); count > 0; count = in.read(buffer)) {
        bytes += count;
      }
    }
    return bytes;
  }
}
