package dev.bluebell.softnic.engine;

/** Gives turns to work. Called by the thread that runs the engine. */
public interface Scheduler {

  /** Gives work a turn soon. */
  void activate(Work work);

  /** Calls {@link Work#onTimer} when {@link Work#deadline} has come. */
  void schedule(Work work);

  /** The client that a command is executed for: what it makes is that client's. */
  Client client();

  /**
   * Bytes that one turn may move, or cause the {@link #effort} of: fewer while clients wait for
   * each other.
   */
  long bytesPerTurn();

  /** What the turn at hand has caused so far. */
  Effort effort();
}
