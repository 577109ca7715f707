package dev.bluebell.softnic.engine;

/** Gives turns to work. Called by the thread that runs the engine. */
public interface Scheduler {

  /** Gives work a turn soon. */
  void activate(Work work);

  /** Calls {@link Work#onTimer} when {@link Work#deadline} has come. */
  void schedule(Work work);

  /** The client that a command is executed for; it owns the objects that the command creates. */
  Client client();

  /**
   * Bytes that one turn may move, including its {@link #effort}: fewer while clients wait for each
   * other.
   */
  long bytesPerTurn();

  /** The effort of the current turn so far. */
  Effort effort();
}
