package dev.bluebell.softnic.engine;

/** Who gives turns to work. Called by whoever runs the engine. */
public interface Scheduler {

  /** Gives work a turn soon. */
  void activate(Work work);

  /** Calls {@link Work#onTimer} when {@link Work#deadline} has come. */
  void schedule(Work work);
}
