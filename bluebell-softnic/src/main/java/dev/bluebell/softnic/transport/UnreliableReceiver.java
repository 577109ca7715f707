package dev.bluebell.softnic.transport;

/** A receiver whose senders hear nothing of what becomes of their messages. */
public sealed interface UnreliableReceiver extends ReceiveHalf
    permits ConnectedReceiver, DatagramReceiver {

  /** Takes a request off the fabric; what can't be executed is dropped, counted and explained. */
  void receive(Request request);

  @Override
  default int respond() {
    return 0;
  }
}
