package dev.bluebell.verbs;

/**
 * A DC target as a destination, prepared so that a request only copies it. It holds no resource;
 * all initiators of its port may use it for any number of requests. Immutable. Created by {@link
 * DcInitiator#targetAddress}.
 */
public interface DcTargetAddress {
  /** Where requests go. */
  DcEndpoint target();
}
