package dev.bluebell.softnic.transport.local;

/** Says whether the requests of a queue pair name their peer, and which peer that is. */
public interface Addressing {

  /** True when each request names its peer by an address vector. */
  boolean isPerRequest();

  /** True when the whole address vector at an address names the peer of the connection. */
  boolean isNamed(long at);
}
