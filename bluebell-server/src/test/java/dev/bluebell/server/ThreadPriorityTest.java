package dev.bluebell.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.bluebell.hca.HcaPrecedence;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A thread gets the highest priority that the kernel allows, and gives it up again. */
class ThreadPriorityTest {
  /** Nice value, real-time priority and policy, by the fields of {@code proc(5)}. */
  private static String scheduling() throws IOException {
    String status = Files.readString(Path.of("/proc/thread-self/stat"));
    String[] fields = status.substring(status.lastIndexOf(')') + 2).split(" ");
    return "nice %s, priority %s, policy %s".formatted(fields[16], fields[37], fields[38]);
  }

  /** The affinity mask of the calling thread, one bit per processor. */
  private static byte[] processors() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment allowed = arena.allocate(128, Long.BYTES);
      assertThat(Libc.schedGetaffinity(allowed)).isZero();
      return allowed.toArray(ValueLayout.JAVA_BYTE);
    }
  }

  @Test
  void aMovedThreadContinuesElsewhereAndMayRunAnywhereAfterwards()
      throws IOException, InterruptedException {
    byte[] before = processors();
    ThreadPriority priority = new ThreadPriority();
    boolean staysWhereItIsPut = priority.allowed() == ThreadPriority.Kind.REAL_TIME;
    watch(priority);
    Optional<HcaPrecedence.Held> held = priority.take();
    long here = Libc.schedGetcpu();
    held.ifPresent(HcaPrecedence.Held::move);
    long there = Libc.schedGetcpu();
    held.ifPresent(HcaPrecedence.Held::giveUp);
    assertThat(processors()).isEqualTo(before);
    if (staysWhereItIsPut && BitSet.valueOf(before).cardinality() > 1) {
      assertThat(there).isNotEqualTo(here);
    }
  }

  @Test
  void aTakenPriorityCanBeGivenUpByAnotherThread() throws IOException, InterruptedException {
    String before = scheduling();
    ThreadPriority priority = new ThreadPriority();
    ThreadPriority.Kind allowed = priority.allowed();
    assertThat(scheduling()).isEqualTo(before);
    watch(priority);
    Optional<HcaPrecedence.Held> held = priority.take();
    assertThat(held.isPresent()).isEqualTo(allowed != ThreadPriority.Kind.NOT_AT_ALL);
    switch (allowed) {
      case REAL_TIME -> assertThat(scheduling()).endsWith("priority 1, policy 2");
      case NICE -> assertThat(scheduling()).startsWith("nice -").endsWith("policy 0");
      case NOT_AT_ALL -> assertThat(scheduling()).isEqualTo(before);
    }
    Thread other = Thread.ofPlatform().start(() -> held.ifPresent(HcaPrecedence.Held::giveUp));
    other.join();
    assertThat(scheduling()).isEqualTo(before);
  }

  @Test
  void anUnwatchedThreadGetsNoRealTimePriority() throws IOException {
    ThreadPriority priority = new ThreadPriority();
    Optional<HcaPrecedence.Held> held = priority.take();
    assertThat(scheduling()).endsWith("policy 0");
    held.ifPresent(HcaPrecedence.Held::giveUp);
  }

  @Test
  void theWatcherHasPriorityOverTheWatchedThread() throws IOException, InterruptedException {
    ThreadPriority priority = new ThreadPriority();
    assumeTrue(
        priority.allowed() == ThreadPriority.Kind.REAL_TIME, "real-time priority is not allowed");
    assertThat(watch(priority)).endsWith("priority 2, policy 2");
  }

  /** Lets a thread watch until it ends; returns its scheduling. */
  private static String watch(ThreadPriority priority) throws InterruptedException {
    AtomicReference<String> seen = new AtomicReference<>("");
    Thread watch =
        Thread.ofPlatform()
            .start(
                () -> {
                  priority.watch();
                  try {
                    seen.set(scheduling());
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                });
    watch.join();
    return seen.get();
  }
}
