package dev.bluebell.verbs;

/**
 * A DC target as a destination, made ready so that a request only copies it. It holds no resource
 * and may be used by all initiators of its port, for any number of requests. Immutable; {@link
 * DcInitiator#targetAddress} makes it.
 */
public interface DcTargetAddress {
  /** Where requests go. */
  DcEndpoint target();
}
