package dev.bluebell.cli.perf;

/** The other process of a measurement is gone, or uses another protocol: exit code 1. */
final class PeerLost extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * @param sentence names the process and the remedy, without a full stop
   */
  PeerLost(String sentence) {
    super(sentence);
  }
}
