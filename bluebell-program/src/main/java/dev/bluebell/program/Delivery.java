package dev.bluebell.program;

/** How the client receives an answer. */
public sealed interface Delivery {
  /** As a message, which consumes a receive of the client. */
  record Message() implements Delivery {
    @Override
    public String toString() {
      return "respond";
    }
  }

  /**
   * By a write to the client's memory.
   *
   * @param to the buffer
   * @param told true when the client gets a completion, which consumes one of its receives and has
   *     the {@linkplain Buffer#number number} of the buffer as its immediate
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
   * @throws IllegalArgumentException when the answer is longer than its buffer
   */
  default void check(int bytes) {
    if (this instanceof Write write && bytes > write.to().bytes()) {
      throw new IllegalArgumentException(
          "%d bytes do not fit %s, which has %d".formatted(bytes, write.to(), write.to().bytes()));
    }
  }
}
