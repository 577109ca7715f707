package dev.bluebell.uverbs.cm;

import dev.bluebell.server.Account;

/** A group that an id has joined: a number that the client leaves it by. */
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
