package dev.bluebell.uverbs.cm;

import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.server.Account;
import dev.bluebell.server.Quota;
import dev.bluebell.uverbs.call.Refusal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An open file of the connection manager, with a client's ids and their events. {@link #get},
 * {@link #locked} and {@link #close} take the lock; all other methods need it.
 */
final class CmFile {
  private final ConnectionManager manager;
  private final CmPort port;
  private final Object owner;
  private final Account account;
  private final Signal signal;
  private final Consumer<Supplier<String>> listener;
  private final Set<CmId> ids = new LinkedHashSet<>();

  /** The ids with unread events, by the position of the first one. */
  private final TreeMap<Long, CmEvents> unread = new TreeMap<>();

  /** Shows a client whether events are pending. */
  interface Signal {
    /**
     * Signals a new event, or that none is left.
     *
     * @param pending false for none
     */
    void show(boolean pending);
  }

  /**
   * @param owner identity of the client's process
   * @param account of the client, charged for ids and events
   * @param listener receives the reasons for failed connections, and composes those that are shown
   */
  CmFile(
      ConnectionManager manager,
      CmPort port,
      Object owner,
      Account account,
      Signal signal,
      Consumer<Supplier<String>> listener) {
    this.manager = manager;
    this.port = port;
    this.owner = owner;
    this.account = account;
    this.signal = signal;
    this.listener = listener;
  }

  ConnectionManager manager() {
    return manager;
  }

  CmPort port() {
    return port;
  }

  /** Does something under the lock. */
  <T extends @Nullable Object> T get(Function<CmFile, T> action) {
    synchronized (manager) {
      return action.apply(this);
    }
  }

  /** Does something under the lock. */
  void locked(Consumer<CmFile> action) {
    synchronized (manager) {
      action.accept(this);
    }
  }

  /** Identity of the client's process. */
  Object owner() {
    return owner;
  }

  /** True when both files belong to the same process. */
  boolean isOfOwner(CmFile other) {
    return owner.equals(other.owner);
  }

  /** The id of this file with a number. */
  CmId find(int number) {
    CmId found = manager.find(CmId.class, number);
    // As if it did not exist: EINVAL is for the client's own ids only.
    Refusal.require(
        isOfOwner(found.file()),
        Errno.ENOENT,
        "number %d does not name an object of the client",
        number);
    Refusal.require(
        found.file() == this, Errno.EINVAL, "id %d belongs to another event channel", number);
    return found;
  }

  /** The group with a number that an id of this file has joined. */
  CmGroup findGroup(int number) {
    CmGroup found = manager.find(CmGroup.class, number);
    Refusal.require(
        found.id().file() == this,
        Errno.ENOENT,
        "no id of this event channel has joined group %d",
        number);
    return found;
  }

  CmId create(long uid, int space, int type) {
    Account.Hold room = takeId();
    return make(number -> new CmId(this, number, uid, space, type, room));
  }

  /** Creates the id that answers a request; null when the client has no room for it. */
  @Nullable CmId tryCreate(int type, CmAddressing addressing) {
    Account.@Nullable Hold room = account.tryTake(Quota.CONNECTION_IDS);
    return room == null
        ? null
        : make(number -> CmId.answering(this, number, type, addressing, room));
  }

  private CmId make(IntFunction<CmId> maker) {
    CmId id = manager.number(maker);
    own(id);
    return id;
  }

  Account.Hold takeId() {
    return account.take(Quota.CONNECTION_IDS);
  }

  void own(CmId id) {
    ids.add(id);
  }

  void disown(CmId id) {
    ids.remove(id);
  }

  /** Explains a failure; the sentence costs nothing unless it is shown. */
  void say(Supplier<String> sentence) {
    listener.accept(sentence);
  }

  // ---- events

  /**
   * Adds an event.
   *
   * @return false when the event is lost because the client has too many unread events
   */
  boolean add(CmId id, CmEvent.@Nullable Request request, @Nullable CmGroup group, View response) {
    Account.@Nullable Hold room = account.tryTake(Quota.PENDING_EVENTS);
    if (room == null) {
      return false;
    }
    CmEvent event = new CmEvent(id, request, group, response, room, manager.position());
    change(id.events(), events -> events.add(event));
    signal.show(true);
    return true;
  }

  /** Changes the unread events of an id of this file. */
  private void change(CmEvents events, Consumer<CmEvents> change) {
    if (!events.isEmpty()) {
      unread.remove(events.position());
    }
    change.accept(events);
    if (!events.isEmpty()) {
      unread.put(events.position(), events);
    }
  }

  private void showThatNoneIsLeft() {
    if (unread.isEmpty()) {
      signal.show(false);
    }
  }

  /** Takes the next event; null when there is none. */
  @Nullable CmEvent next() {
    if (unread.isEmpty()) {
      return null;
    }
    CmEvents first = unread.firstEntry().getValue();
    CmEvent event = first.next();
    change(first, CmEvents::removeNext);
    showThatNoneIsLeft();
    return event;
  }

  /** Puts an undelivered event back, into the file that its id belongs to by now. */
  static void putBack(CmEvent event) {
    if (event.id().isDestroyed()) {
      discard(event);
      return;
    }
    CmFile file = event.id().file();
    file.change(event.id().events(), events -> events.putBack(event));
    file.signal.show(true);
  }

  private static void discard(CmEvent event) {
    event.room().close();
    if (event.request() != null) {
      int unused = event.request().made().destroy();
    }
  }

  /** Counts an event that was delivered. */
  void delivered(CmEvent event) {
    event.room().close();
    event.id().events().report();
    if (event.request() != null) {
      event.request().listener().requestIsRead();
    }
    if (event.group() != null) {
      event.group().eventsReported++;
    }
  }

  /** Drops unread events of an id, and destroys the ids of unread requests. */
  void dropEvents(CmId id, Predicate<CmEvent> which) {
    if (id.events().isEmpty()) {
      return;
    }
    List<CmEvent> dropped = new ArrayList<>();
    change(id.events(), events -> dropped.addAll(events.take(which)));
    dropped.forEach(CmFile::discard);
    showThatNoneIsLeft();
  }

  /** Moves an id and its events to another file of the client. */
  void move(CmId id, CmFile other) {
    disown(id);
    other.own(id);
    CmEvents events = id.events();
    if (!events.isEmpty()) {
      unread.remove(events.position());
      showThatNoneIsLeft();
      events.moveTo(manager.position());
      other.unread.put(events.position(), events);
      other.signal.show(true);
    }
  }

  /** Destroys all ids. Takes the lock for each of them, because all clients wait for it. */
  void close() {
    while (get(CmFile::destroyFirst)) {
      // Until none is left.
    }
  }

  private boolean destroyFirst() {
    if (ids.isEmpty()) {
      return false;
    }
    int unused = ids.iterator().next().destroy();
    return true;
  }
}
