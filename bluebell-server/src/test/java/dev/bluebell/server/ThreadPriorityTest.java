package dev.bluebell.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A thread comes before others as far as the kernel lets it, and is one of them again. */
class ThreadPriorityTest {
  /** Nice value, real-time priority and policy, by the fields of {@code proc(5)}. */
  private static String scheduling() throws IOException {
    String status = Files.readString(Path.of("/proc/thread-self/stat"));
    String[] fields = status.substring(status.lastIndexOf(')') + 2).split(" ");
    return "nice %s, priority %s, policy %s".formatted(fields[16], fields[37], fields[38]);
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
