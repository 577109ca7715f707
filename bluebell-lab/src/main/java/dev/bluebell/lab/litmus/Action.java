package dev.bluebell.lab.litmus;

import org.jspecify.annotations.Nullable;

/**
 * One action of a thread. A location is a letter and the digit of its node, such as {@code x1}; a
 * register is a letter.
 */
sealed interface Action {
  /** Stores a number; it becomes visible when it leaves the store buffer. */
  record Store(String to, int value) implements Action {
    @Override
    public String toString() {
      return to + "=" + value;
    }
  }

  /** Loads into a register. */
  record Load(String register, String from) implements Action {
    @Override
    public String toString() {
      return register + "=" + from;
    }
  }

  /** Loads until the location holds the value. */
  record Await(String from, int value) implements Action {
    @Override
    public String toString() {
      return "await %s=%d".formatted(from, value);
    }
  }

  /** An atomic of the processor, which empties the store buffer. */
  record Locked(String register, Change change) implements Action {
    @Override
    public String toString() {
      return "%s=%s".formatted(register, change);
    }
  }

  /** Empties the store buffer. */
  record StoreFence() implements Action {
    @Override
    public String toString() {
      return "mfence";
    }
  }

  /** An RDMA WRITE from the thread's node to another. */
  record Put(String to, String from) implements Request {
    @Override
    public int node() {
      return Litmus.node(to);
    }

    @Override
    public String toString() {
      return "%s<-%s".formatted(to, from);
    }
  }

  /** An RDMA READ from another node to the thread's. */
  record Get(String to, String from) implements Request {
    @Override
    public int node() {
      return Litmus.node(from);
    }

    @Override
    public String toString() {
      return "%s<-%s".formatted(to, from);
    }
  }

  /** A remote atomic, whose result is written to the thread's node. */
  record Atomic(String to, Change change) implements Request {
    @Override
    public int node() {
      return Litmus.node(change.at());
    }

    @Override
    public String toString() {
      return "%s<-%s".formatted(to, change);
    }
  }

  /** Delays later requests to a node until the earlier ones have completed. */
  record RemoteFence(int node) implements Request {
    @Override
    public String toString() {
      return "fence " + node;
    }
  }

  /** Waits for the next completion of the requests to a node. */
  record Poll(int node) implements Action {
    @Override
    public String toString() {
      return "poll " + node;
    }
  }

  /** A request that a thread passes to the NIC, in the order of its stores. */
  sealed interface Request extends Action permits Put, Get, Atomic, RemoteFence {
    /** The remote node. */
    int node();
  }

  /**
   * The effect of an atomic.
   *
   * @param expected compare value of a compare-and-swap; null for a fetch-and-add
   * @param operand swap value or addend
   */
  record Change(String at, @Nullable Integer expected, int operand) {
    /** The value after the atomic. */
    int of(int before) {
      if (expected == null) {
        return before + operand;
      }
      return before == expected ? operand : before;
    }

    @Override
    public String toString() {
      return expected == null
          ? "add %s %d".formatted(at, operand)
          : "cas %s %d %d".formatted(at, expected, operand);
    }
  }
}
