package dev.bluebell.verbs;

/**
 * A destination of datagrams, made ready so that a request only copies it. It holds no resource and
 * may be used by all queue pairs of its port, for any number of requests. Immutable; {@link
 * UdQueuePair#addressHandle} makes it.
 */
public interface AddressHandle {
  /** Where datagrams go. */
  UdEndpoint destination();
}
