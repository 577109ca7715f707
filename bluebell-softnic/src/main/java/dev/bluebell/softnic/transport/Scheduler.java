package dev.bluebell.softnic.transport;

/** What the transport needs of the engine. Called by whoever runs it. */
public interface Scheduler {

  /** Gives the queue pair a turn soon. */
  void activate(QueuePair queuePair);

  /** Gives the queue pair a turn when {@link QueuePair#deadline} has come. */
  void schedule(QueuePair queuePair);

  /** Looks at the queue pair's receive doorbell record from now on, which flushing needs. */
  void watchReceives(QueuePair queuePair);
}
