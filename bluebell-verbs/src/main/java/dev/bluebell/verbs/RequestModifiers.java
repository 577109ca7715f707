package dev.bluebell.verbs;

/** The stage that takes the flags of a request; all are optional. */
@CheckReturnValue
public interface RequestModifiers extends RequestEnd {

  /** The request starts only when all earlier READs and atomics of the queue are complete. */
  RequestModifiers fence();

  /** Makes the completion at the peer, if the request causes one, a solicited one. */
  RequestModifiers solicited();
}
