package dev.bluebell.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

/** A thread comes before others as far as the kernel lets it, and is one of them again. */
class ThreadPriorityTest {
  /** Nice value, real-time priority and policy, by the fields of {@code proc(5)}. */
  private static String scheduling() throws IOException {
    String status = Files.readString(Path.of("/proc/thread-self/stat"));
    String[] fields = status.substring(status.lastIndexOf(')') + 2).split(" ");
    return "nice %s, priority %s, policy %s".formatted(fields[16], fields[37], fields[38]);
  }

  /** The processors on which the calling thread may run, a bit each. */
  private static byte[] processors() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment allowed = arena.allocate(128, Long.BYTES);
      assertThat(Libc.schedGetaffinity(allowed)).isZero();
      return allowed.toArray(ValueLayout.JAVA_BYTE);
    }
  }

  @Test
  void whoIsMovedGoesOnElsewhereAndMayGoAnywhereAgain() throws IOException {
    byte[] before = processors();
    ThreadPriority priority = new ThreadPriority();
    boolean staysWhereItIsPut = priority.allowed() == ThreadPriority.Kind.REAL_TIME;
    boolean unused = priority.take();
    long here = Libc.schedGetcpu();
    priority.move();
    long there = Libc.schedGetcpu();
    priority.giveUp();
    assertThat(processors()).isEqualTo(before);
    if (staysWhereItIsPut && BitSet.valueOf(before).cardinality() > 1) {
      assertThat(there).isNotEqualTo(here);
    }
  }

  @Test
  void whatIsTakenIsGivenUp() throws IOException {
    String before = scheduling();
    ThreadPriority priority = new ThreadPriority();
    ThreadPriority.Kind allowed = priority.allowed();
    assertThat(scheduling()).isEqualTo(before);
    assertThat(priority.take()).isEqualTo(allowed != ThreadPriority.Kind.NOT_AT_ALL);
    switch (allowed) {
      case REAL_TIME -> assertThat(scheduling()).endsWith("priority 1, policy 2");
      case NICE -> assertThat(scheduling()).startsWith("nice -").endsWith("policy 0");
      case NOT_AT_ALL -> assertThat(scheduling()).isEqualTo(before);
    }
    priority.giveUp();
    assertThat(scheduling()).isEqualTo(before);
  }
}
