package dev.bluebell.softnic.queue;

import dev.bluebell.hca.command.QpCommands.Qpc;

/**
 * What a tag-matching queue (XRQ) has beside its receive WQEs: the list of tags, and where all of
 * its completions go.
 *
 * @param userIndex what completions name the queue by
 * @param rendezvous whether the device does a rendezvous itself
 */
public record TagMatching(
    int number, TagList list, CompletionQueue completions, int userIndex, boolean rendezvous) {

  /**
   * Which messages go into their completions, of a queue pair with a cs_res: there is a long form
   * alone, as the short one lies where the completion has the message's header.
   */
  public int dataInCqes(int csRes) {
    return csRes == Qpc.CS_RES_64 && completions.hasLargeEntries() ? csRes : 0;
  }
}
