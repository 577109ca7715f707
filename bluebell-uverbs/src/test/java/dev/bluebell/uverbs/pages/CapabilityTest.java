package dev.bluebell.uverbs.pages;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Parsing a process's capability sets. */
class CapabilityTest {
  @Test
  void eachCapabilityHasABitOfTheSet() {
    assertThat(Capability.NET_RAW.isIn("0000000000002000")).isTrue();
    assertThat(Capability.NET_RAW.isIn("ffffffffffffdfff")).isFalse();
    assertThat(Capability.IPC_LOCK.isIn("0000000000004000")).isTrue();
  }
}
