package dev.bluebell.softnic.command;

import dev.bluebell.softnic.queue.ReceiveQueue;
import dev.bluebell.softnic.translation.Umem;

/**
 * A receive memory pool (RMP): a queue of receive WQEs that queue pairs share.
 *
 * @param number the RMPN
 * @param context the RMP context, kept for QUERY_RMP
 * @param domain whose memory keys its WQEs name
 */
record ReceivePool(
    int number,
    byte[] context,
    ProtectionDomain domain,
    ReceiveQueue queue,
    Umem ringMemory,
    Umem recordMemory,
    int[] users) {

  void use(int delta) {
    users[0] += delta;
  }

  @Override
  public String toString() {
    return "RMP 0x%x: %d WQEs, %d available, %d users"
        .formatted(number, queue.size(), queue.look(), users[0]);
  }
}
