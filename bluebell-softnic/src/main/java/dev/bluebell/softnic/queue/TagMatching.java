package dev.bluebell.softnic.queue;

import dev.bluebell.hca.command.QpCommands.Qpc;

/**
 * The state of a tag-matching queue (XRQ) besides its receive WQEs: the list of tags, and the queue
 * of all its completions.
 *
 * @param userIndex the queue's user index in completions
 * @param rendezvous whether the device does a rendezvous itself
 */
public record TagMatching(
    int number, TagList list, CompletionQueue completions, int userIndex, boolean rendezvous) {

  /**
   * The effective cs_res of a queue pair: messages go into their CQEs only in the long form,
   * because the short one would overwrite the message's header in the CQE.
   */
  public int dataInCqes(int csRes) {
    return csRes == Qpc.CS_RES_64 && completions.hasLargeEntries() ? csRes : 0;
  }
}
