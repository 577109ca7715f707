package dev.bluebell.softnic.queue;

/** The sink for events of queues, to which software may have subscribed. */
public interface Events {

  /**
   * Raises an event, of a type of {@link dev.bluebell.hca.HcaEvent}, for the object with this
   * number.
   */
  void raise(int type, int number, int syndrome);
}
