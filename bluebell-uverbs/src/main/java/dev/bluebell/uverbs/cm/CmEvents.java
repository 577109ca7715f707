package dev.bluebell.uverbs.cm;

import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.CmAbi.EventResp;
import dev.bluebell.hca.uverbs.CmEventType;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.uverbs.call.Refusal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The events of an id: adds them to its file, with the client's identifier of the id, keeps those
 * that are unread, and counts those that the client has read. Guarded by the {@link
 * ConnectionManager}.
 */
final class CmEvents {
  private final CmId id;
  private final ArrayDeque<CmEvent> unread = new ArrayDeque<>();
  private long uid;
  private int reported;

  /** The position that older events share since the id moved to another file. */
  private long movedAt;

  /**
   * @param uid the client's identifier; 0 until the client has set it
   */
  CmEvents(CmId id, long uid) {
    this.id = id;
    this.uid = uid;
  }

  /** Sets the client's identifier of the id. */
  void setUid(long value) {
    uid = value;
  }

  /** Adds an event without content. */
  void raise(CmEventType kind, int status) {
    raise(kind, status, nothing -> {});
  }

  /** Adds an event; it is lost when the client has too many unread events. */
  void raise(CmEventType kind, int status, Consumer<View> content) {
    // ucma.c: events of an id that the client has not accepted are dropped.
    if (uid != 0) {
      boolean unused = id.file().add(id, null, null, event(kind, status, content));
    }
  }

  /** Adds an event that the client writes to itself, with an argument of its own. */
  void write(CmEventType kind, int status, long argument) {
    View event = event(kind, status, response -> response.set(EventResp.ARG32, argument));
    Refusal.require(
        id.file().add(id, null, null, event),
        Errno.ENOMEM,
        "the client has too many unread events: read them, and write this one again");
  }

  /**
   * Adds the event of a request.
   *
   * @return false when the client has too many unread events
   */
  boolean request(CmListener listener, CmId made, Consumer<View> content) {
    View event = event(CmEventType.CONNECT_REQUEST, 0, content).set(EventResp.ID, made.number());
    return id.file().add(id, new CmEvent.Request(listener, made), null, event);
  }

  /**
   * Adds the event of a joined group.
   *
   * @param as the client's identifier of the group
   * @return false when the client has too many unread events
   */
  boolean joined(CmGroup group, long as, Consumer<View> content) {
    View event =
        event(CmEventType.MULTICAST_JOIN, 0, content)
            .set(EventResp.UID, as)
            .set(EventResp.ID, group.number());
    return id.file().add(id, null, group, event);
  }

  private View event(CmEventType kind, int status, Consumer<View> content) {
    View response = View.of(EventResp.STRUCTURE);
    content.accept(response);
    return response
        .set(EventResp.UID, uid)
        .set(EventResp.ID, id.number())
        .set(EventResp.EVENT, kind.number())
        .set(EventResp.STATUS, status);
  }

  // ---- unread events, which only the id's file changes

  boolean isEmpty() {
    return unread.isEmpty();
  }

  /** Position of the first unread event among those of the file. */
  long position() {
    return Math.max(movedAt, next().position());
  }

  void add(CmEvent event) {
    unread.addLast(event);
  }

  void putBack(CmEvent event) {
    unread.addFirst(event);
  }

  CmEvent next() {
    return unread.getFirst();
  }

  void removeNext() {
    unread.removeFirst();
  }

  List<CmEvent> take(Predicate<CmEvent> which) {
    List<CmEvent> taken = new ArrayList<>();
    unread.removeIf(event -> which.test(event) && taken.add(event));
    return taken;
  }

  /** Puts all unread events behind those of another file, to which the id moves. */
  void moveTo(long position) {
    movedAt = position;
  }

  /** Moves the ids of unread requests to another file. */
  void moveRequests(CmFile other) {
    for (CmEvent event : unread) {
      if (event.request() != null) {
        event.request().made().moveTo(other);
      }
    }
  }

  /** Called when the client has read an event. */
  void report() {
    reported++;
  }

  /** Number of events that the client has read. */
  int reported() {
    return reported;
  }
}
