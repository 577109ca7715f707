package dev.bluebell.softnic.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Objects that the device reuses for each request: a fault, and a buffer for payload. */
class ScratchTest {

  @Test
  void aClearedFaultIsUnset() {
    Fault fault = new Fault();
    assertThat(fault.isSet()).isFalse();
    fault.set(4, 0x51, "why");
    assertThat(fault.isSet()).isTrue();
    fault.clear();
    assertThat(fault.isSet()).isFalse();
    assertThat(fault.vendorSyndrome()).isZero();
    assertThat(fault.explanation()).isEmpty();
  }

  @Test
  void stagingHasAsMuchRoomAsIsAsked() {
    Staging staging = new Staging();
    long first = staging.of(64);
    assertThat(staging.of(8)).isEqualTo(first);
    long larger = staging.of(65);
    assertThat(larger).isNotEqualTo(first).isNotZero();
    assertThat(staging.of(65)).isEqualTo(larger);
  }
}
