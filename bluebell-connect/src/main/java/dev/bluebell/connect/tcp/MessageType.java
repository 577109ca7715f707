package dev.bluebell.connect.tcp;

/** The messages of a connection, by their numbers on the wire. */
enum MessageType {
  /** Who connects tells its endpoint and its offer. */
  CONNECT,
  /** Who listens tells its endpoint and its offer; its queue pair is connected. */
  ACCEPT,
  /** Who connects has connected its queue pair, too. */
  READY,
  /** Who listens does not want to: private data of the application. */
  REJECT,
  /** Who listens can't: a sentence. */
  FAIL,
  /** A sign of life is wanted. */
  PING,
  /** A sign of life. */
  PONG,
  /** The sender disconnects. */
  DISCONNECT
}
