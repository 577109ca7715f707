package dev.bluebell.softnic.transport;

import dev.bluebell.softnic.packet.Aeth;

/**
 * Why a request is not executed: what a reliable connection answers, and what the receive WQE in
 * use completes with. Reused; owned by one queue pair.
 */
final class Refusal {
  private int code;
  private int syndrome;
  private String explanation = "";

  /**
   * Sets the refusal.
   *
   * @param newCode a NAK of {@link Aeth}
   * @param newSyndrome of the receive WQE in use; 0 when there is none
   * @return false, for the caller to return
   */
  boolean refuse(int newCode, int newSyndrome, String newExplanation) {
    code = newCode;
    syndrome = newSyndrome;
    explanation = newExplanation;
    return false;
  }

  void clear() {
    refuse(0, 0, "");
  }

  /** A NAK of {@link Aeth}; 0 when nothing is refused. */
  int code() {
    return code;
  }

  int syndrome() {
    return syndrome;
  }

  String explanation() {
    return explanation;
  }
}
