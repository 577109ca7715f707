package dev.bluebell.program;

/** How an answer comes to the client. */
public sealed interface Delivery {
  /** As a message, which takes a receive of the client's. */
  record Message() implements Delivery {
    @Override
    public String toString() {
      return "respond";
    }
  }

  /**
   * Written to the client's memory.
   *
   * @param to where
   * @param told true when the client gets a completion, which takes a receive of the client's and
   *     has the {@linkplain Buffer#number number} of the buffer as its immediate
   */
  record Write(Buffer to, boolean told) implements Delivery {
    @Override
    public String toString() {
      return (told ? "respond into " : "write into ") + to;
    }
  }

  /**
   * Checks the length of an answer.
   *
   * @throws IllegalArgumentException when it is longer than its buffer
   */
  default void check(int bytes) {
    if (this instanceof Write write && bytes > write.to().bytes()) {
      throw new IllegalArgumentException(
          "%d bytes do not fit %s, which has %d".formatted(bytes, write.to(), write.to().bytes()));
    }
  }
}
