package dev.bluebell.softnic.transport.receive;

import dev.bluebell.roce.packet.Aeth;
import dev.bluebell.softnic.translation.KeyRefusals;
import dev.bluebell.softnic.translation.SegmentList;

/**
 * The refusal of a request: the NAK that a reliable connection responds with, the syndrome that the
 * receive WQE in use completes with, and the explanations. Reused; owned by one queue pair.
 */
public final class Refusal {
  private int code;
  private int syndrome;
  private String explanation = "";
  private String toStrangers = "";

  /**
   * Sets the refusal. Other clients do not get explanations about the responder's own memory.
   *
   * @param newCode a NAK of {@link Aeth}
   * @param newSyndrome of the receive WQE in use; 0 when there is none
   * @return false, for the caller to return
   */
  boolean refuse(int newCode, int newSyndrome, String newExplanation) {
    return refuse(
        newCode,
        newSyndrome,
        newExplanation,
        newCode == Aeth.REMOTE_OPERATION_NAK
            ? "the explanations of the process at the other end say why"
            : newExplanation);
  }

  /** Refuses a receive whose memory the device could not access. */
  boolean unreachable(int newSyndrome, SegmentList target) {
    String why = KeyRefusals.unreachable("lkey", target.failedKey(), target);
    return target.hasFailedByEnd()
        ? refuse(Aeth.REMOTE_OPERATION_NAK, newSyndrome, why, "its process has ended")
        : refuse(Aeth.REMOTE_OPERATION_NAK, newSyndrome, why);
  }

  /**
   * Sets the refusal.
   *
   * @param newToStrangers the explanation for a requester of another client
   */
  boolean refuse(int newCode, int newSyndrome, String newExplanation, String newToStrangers) {
    code = newCode;
    syndrome = newSyndrome;
    explanation = newExplanation;
    toStrangers = newToStrangers;
    return false;
  }

  public void clear() {
    refuse(0, 0, "");
  }

  /** A NAK of {@link Aeth}; 0 when nothing is refused. */
  public int code() {
    return code;
  }

  public int syndrome() {
    return syndrome;
  }

  public String explanation() {
    return explanation;
  }

  /** The explanation for a requester of another client. */
  public String toStrangers() {
    return toStrangers;
  }
}
