package dev.bluebell.softnic.translation;

/** The last change of a memory key, for explanations. Owned by the thread that runs the engine. */
public final class KeyChange {
  /** Kinds of change. */
  private enum Kind {
    NONE,
    UMR,
    SEND_INVALIDATE
  }

  private Kind kind = Kind.NONE;
  private int qpn;
  private int wqe;
  private int octowords;

  /** Notes a change by a UMR. */
  void umr(int byQpn, int wqeIndex, int klmOctowords) {
    kind = Kind.UMR;
    qpn = byQpn;
    wqe = wqeIndex;
    octowords = klmOctowords;
  }

  /** Notes that a SEND with invalidate ended the key. */
  void sendInvalidate() {
    kind = Kind.SEND_INVALIDATE;
  }

  /** True when a UMR was the last to change the key. */
  public boolean isUmr() {
    return kind == Kind.UMR;
  }

  /** Number of the queue pair of the last UMR. */
  int qpn() {
    return qpn;
  }

  /** klm_octowords of the last UMR. */
  int octowords() {
    return octowords;
  }

  /** The beginning of a sentence about the last UMR; the caller appends a verb, or what it had. */
  public String text() {
    return "The UMR at WQE %d of QP 0x%x has".formatted(wqe, qpn);
  }

  /** The reason that a free key is free. */
  String whyFree() {
    return switch (kind) {
      case NONE -> "is free: it was never bound, or its bind has not been executed yet";
      case UMR -> "was invalidated by the UMR at WQE %d of QP 0x%x".formatted(wqe, qpn);
      case SEND_INVALIDATE -> "was invalidated by a SEND with invalidate";
    };
  }
}
