package dev.bluebell.softnic.queue;

/** Where the queues report what software may have asked to be told. */
public interface Events {

  /**
   * Raises an event of a kind of {@link dev.bluebell.hca.HcaEvent} for the object with this number.
   */
  void raise(int type, int number, int syndrome);
}
