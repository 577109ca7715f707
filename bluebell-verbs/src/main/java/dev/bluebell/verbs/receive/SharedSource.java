package dev.bluebell.verbs.receive;

/** A queue that several queue pairs may receive from. */
public interface SharedSource {

  /** This queue, as queue pairs and targets receive from it. */
  SharedReceives shared();
}
