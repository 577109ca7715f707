package dev.bluebell.uverbs.cm;

import dev.bluebell.server.Account;

/** A multicast group that an id has joined, with the number by which the client leaves it. */
final class CmGroup {
  private final CmId id;
  private final int number;
  private final Account.Hold hold;
  int eventsReported;

  CmGroup(CmId id, int number, Account.Hold hold) {
    this.id = id;
    this.number = number;
    this.hold = hold;
  }

  CmId id() {
    return id;
  }

  int number() {
    return number;
  }

  Account.Hold hold() {
    return hold;
  }
}
