package dev.bluebell.cli.trace;

import java.util.Locale;
import java.util.function.ObjIntConsumer;

/** Short examples to trace. */
enum Scene {
  /** A SEND that comes back as a SEND, again and again. */
  ECHO(
      (ends, count) -> {
        for (int i = 0; i < count && !ends.failed(); i++) {
          ends.left().receive();
          ends.right().receive();
          ends.left().send();
          ends.awaitReceived(ends.right());
          if (!ends.failed()) {
            ends.right().send();
            ends.awaitReceived(ends.left());
            ends.right().awaitSent();
          }
          ends.left().awaitSent();
        }
      }),

  /** SENDs behind one doorbell, each with its receive. */
  SEND(
      (ends, count) -> {
        for (int i = 0; i < count; i++) {
          ends.right().receive();
        }
        ends.left().sends(count);
        ends.awaitMessages(count);
      }),

  /** RDMA WRITEs behind one doorbell, the last of them signalled. */
  WRITE(
      (ends, count) -> {
        ends.left().writes(ends.right(), count);
        ends.left().awaitSent();
      }),

  /** RDMA READs behind one doorbell, the last of them signalled. */
  READ(
      (ends, count) -> {
        ends.left().reads(ends.right(), count);
        ends.left().awaitSent();
      }),

  /** An RDMA WRITE with a key that the responder does not know, and the requests after it. */
  REFUSED(
      (ends, count) -> {
        ends.left().writesWithWrongKey(ends.right(), count);
        ends.left().awaitFailed(count);
      }),

  /** SENDs behind one doorbell that find no receive, until there is one for each. */
  RNR(
      (ends, count) -> {
        ends.left().sends(count);
        ends.awaitNotReady();
        for (int i = 0; i < count; i++) {
          ends.right().receive();
        }
        ends.awaitMessages(count);
      });

  private final ObjIntConsumer<Ends> work;

  Scene(ObjIntConsumer<Ends> work) {
    this.work = work;
  }

  /**
   * Plays the scene.
   *
   * @param count number of repetitions, or of requests
   */
  void play(Ends ends, int count) {
    work.accept(ends, count);
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
