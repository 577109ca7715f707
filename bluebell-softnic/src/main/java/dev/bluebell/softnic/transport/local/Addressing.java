package dev.bluebell.softnic.transport.local;

/** Whether the requests of a queue pair name whom they are for. */
public interface Addressing {

  /** True when each request names its peer by an address vector. */
  boolean isPerRequest();

  /** True when the whole address vector at an address names the peer of the connection. */
  boolean isNamed(long at);
}
