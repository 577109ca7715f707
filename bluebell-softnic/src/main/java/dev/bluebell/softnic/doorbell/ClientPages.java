package dev.bluebell.softnic.doorbell;

import dev.bluebell.softnic.engine.Client;

/** The UAR pages of one client, which are looked at in rotation. */
final class ClientPages {
  private final Client client;
  private final Roster<PageWatch> pages = new Roster<>();
  private int next;

  // Queues of these pages that a sweep started.
  private int starts;

  ClientPages(Client client) {
    this.client = client;
  }

  Client client() {
    return client;
  }

  /** Counts a queue that a sweep of one of the pages started; how many there were. */
  int countStart() {
    return ++starts;
  }

  int size() {
    return pages.size();
  }

  void add(PageWatch page) {
    pages.add(page);
  }

  /** False when the page is not looked at. */
  boolean remove(PageWatch page) {
    next = 0;
    boolean found = pages.has(page);
    if (found) {
      pages.remove(page);
    }
    return found;
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
