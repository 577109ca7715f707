package dev.bluebell.verbs.receive;

import static java.util.Objects.requireNonNull;

/** A queue that several queue pairs may receive from. */
public interface SharedSource {

  /** This queue, as queue pairs and targets receive from it. */
  SharedReceives shared();

  /** The queue that an application passed, as queue pairs and targets receive from it. */
  static SharedReceives of(Object receives) {
    return ((SharedSource) requireNonNull(receives, "the receive queue is null")).shared();
  }
}
