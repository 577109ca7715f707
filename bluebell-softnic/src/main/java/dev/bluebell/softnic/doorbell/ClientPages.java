package dev.bluebell.softnic.doorbell;

import dev.bluebell.softnic.engine.Client;

/** The UAR pages of one client, which the device polls in rotation. */
final class ClientPages {
  private final Client client;
  private final Roster<PageWatch> pages = new Roster<>();
  private int next;

  // Number of queues of these pages that a sweep started.
  private int starts;

  ClientPages(Client client) {
    this.client = client;
  }

  Client client() {
    return client;
  }

  /** Counts a queue that a sweep of one of the pages started; returns the count. */
  int countStart() {
    return ++starts;
  }

  int size() {
    return pages.size();
  }

  void add(PageWatch page) {
    pages.add(page);
  }

  /** Returns false when the page is not in the rotation. */
  boolean remove(PageWatch page) {
    next = 0;
    boolean found = pages.has(page);
    if (found) {
      pages.remove(page);
    }
    return found;
  }

  /** True when a UAR page with this number is in the rotation. */
  boolean hasNumber(int number) {
    for (int i = 0; i < pages.size(); i++) {
      if (pages.get(i).page().number() == number) {
        return true;
      }
    }
    return false;
  }

  PageWatch at(int index) {
    return pages.get(index);
  }

  /** The page whose turn it is; there must be one. */
  PageWatch next() {
    next = next + 1 >= pages.size() ? 0 : next + 1;
    return pages.get(next);
  }
}
