package dev.bluebell.connect;

/** How a connection ended. */
public enum Ending {
  /** This side disconnected. */
  DISCONNECTED_HERE,
  /** The peer said that it disconnects. */
  DISCONNECTED_BY_PEER,
  /** The peer is gone without a word, says nothing when it is asked to, or talks nonsense. */
  LOST
}
