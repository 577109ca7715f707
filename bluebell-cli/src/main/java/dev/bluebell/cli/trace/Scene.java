package dev.bluebell.cli.trace;

import java.util.Locale;

/** Short examples to trace. */
enum Scene {
  ECHO("a SEND that comes back as a SEND, again and again") {
    @Override
    void play(Ends ends, int count) {
      for (int i = 0; i < count; i++) {
        ends.left().receive();
        ends.right().receive();
        ends.left().send();
        ends.right().awaitReceived();
        ends.right().send();
        ends.left().awaitReceived();
        ends.left().awaitSent();
        ends.right().awaitSent();
      }
    }
  },

  SEND("SENDs behind one doorbell, each with its receive") {
    @Override
    void play(Ends ends, int count) {
      for (int i = 0; i < count; i++) {
        ends.right().receive();
      }
      ends.left().sends(count);
      ends.awaitMessages(count);
    }
  },

  WRITE("RDMA WRITEs behind one doorbell, the last of them signalled") {
    @Override
    void play(Ends ends, int count) {
      ends.left().writes(ends.right(), count);
      ends.left().awaitSent();
    }
  },

  READ("RDMA READs behind one doorbell, the last of them signalled") {
    @Override
    void play(Ends ends, int count) {
      ends.left().reads(ends.right(), count);
      ends.left().awaitSent();
    }
  },

  REFUSED("an RDMA WRITE with a key that the responder does not know, and the requests after it") {
    @Override
    void play(Ends ends, int count) {
      ends.left().writesWithWrongKey(ends.right(), count);
      ends.left().awaitFailed(count);
    }
  },

  RNR("SENDs behind one doorbell that find no receive, until there is one for each") {
    @Override
    void play(Ends ends, int count) {
      ends.left().sends(count);
      ends.awaitNotReady();
      for (int i = 0; i < count; i++) {
        ends.right().receive();
      }
      ends.awaitMessages(count);
    }
  };

  private final String about;

  Scene(String about) {
    this.about = about;
  }

  /** A short description. */
  String about() {
    return about;
  }

  /**
   * Plays the scene.
   *
   * @param count number of repetitions, or of requests
   */
  abstract void play(Ends ends, int count);

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
