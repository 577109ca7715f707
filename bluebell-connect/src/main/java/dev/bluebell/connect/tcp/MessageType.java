package dev.bluebell.connect.tcp;

/** The types of messages; the ordinals are the numbers on the wire. */
enum MessageType {
  /** The client sends its endpoint and its offer. */
  CONNECT,
  /** The server sends its endpoint and its offer; its queue pair is connected. */
  ACCEPT,
  /** The client has connected its queue pair as well. */
  READY,
  /** The server's application rejects the request; the body is its private data. */
  REJECT,
  /** The server failed; the body is a sentence. */
  FAIL,
  /** A keepalive probe. */
  PING,
  /** The answer to a keepalive probe. */
  PONG,
  /** The sender disconnects. */
  DISCONNECT
}
