package dev.bluebell.uverbs.cm;

import dev.bluebell.server.Account;

/** A group that an id has joined: a number that the client leaves it by. */
final class CmGroup {
  private final CmId id;
  private final int number;
  private final long uid;
  private final Account.Hold hold;
  int eventsReported;

  CmGroup(CmId id, int number, long uid, Account.Hold hold) {
    this.id = id;
    this.number = number;
    this.uid = uid;
    this.hold = hold;
  }

  CmId id() {
    return id;
  }

  int number() {
    return number;
  }

  /** What the client knows it by. */
  long uid() {
    return uid;
  }

  Account.Hold hold() {
    return hold;
  }
}
