package dev.bluebell.uverbs.event;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.uverbs.EventAbi.AsyncEventDesc;
import dev.bluebell.hca.uverbs.EventAbi.CompEventDesc;
import dev.bluebell.server.Account;
import dev.bluebell.server.EventPipe;
import dev.bluebell.server.HeldFile;
import dev.bluebell.server.Quota;
import dev.bluebell.server.QuotaExceeded;
import dev.bluebell.server.WatchedProcess;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.session.EventRouter;
import dev.bluebell.uverbs.session.Handles;
import dev.bluebell.uverbs.session.Session;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A descriptor from which the client reads events, one per read: {@link CompEventDesc} or {@link
 * AsyncEventDesc} for the first two kinds.
 */
public final class EventFile implements Handles.Held {
  private final Kind kind;
  private final EventPipe pipe;
  private final Object key;
  private final int fd;

  /** Where the client had the file open when it was last looked for. */
  private int seenAt;

  private final int eventBytes;
  private final Account.Hold descriptors;
  private final Map<Subscription, EventRouter.Route> subscriptions = new HashMap<>();

  /** The purpose of a file. */
  public enum Kind {
    /** A completion channel. */
    COMPLETIONS,
    /** The asynchronous events of a context. */
    ASYNC,
    /** Events that the client subscribed by DevX. */
    DEVX_EVENTS,
    /** Answers to asynchronous commands. */
    DEVX_ANSWERS
  }

  /** A subscription by DevX; a repeated request has no effect. */
  private record Subscription(@Nullable HcaObject object, int type, long cookie) {}

  private EventFile(Kind kind, EventPipe pipe, int fd, int eventBytes, Account.Hold descriptors)
      throws IOException {
    this.descriptors = descriptors;
    this.kind = kind;
    this.pipe = pipe;
    key = pipe.key();
    this.fd = fd;
    seenAt = fd;
    this.eventBytes = eventBytes;
  }

  static EventFile openCompletions(Session session) throws IOException {
    return open(session, Kind.COMPLETIONS, CompEventDesc.STRUCTURE.bytes());
  }

  public static EventFile openAsync(Session session) throws IOException {
    EventFile file = open(session, Kind.ASYNC, AsyncEventDesc.STRUCTURE.bytes());
    AsyncEvents.routeDevice(session, file);
    return file;
  }

  /**
   * Opens a file and gives it to the client.
   *
   * @param eventBytes size of the largest event
   */
  public static EventFile open(Session session, Kind kind, int eventBytes) throws IOException {
    // Both ends: this process keeps the client's end, too, to take events back.
    Account.Hold descriptors = session.account().take(Quota.DESCRIPTORS, 2);
    Account.Hold room;
    try {
      // Before the client has the descriptor, as it can't be taken back.
      room = session.handles().takeRoom();
    } catch (QuotaExceeded exceeded) {
      descriptors.close();
      throw exceeded;
    }
    EventPipe pipe;
    try {
      pipe = new EventPipe(eventBytes, session.account());
    } catch (IOException refused) {
      room.close();
      descriptors.close();
      throw Refusal.byKernel("descriptor for events of a client", refused);
    }
    try {
      int fd = session.shim().install(pipe.readerFd(), last(kind));
      session.handles().forget(EventFile.class, earlier -> earlier.isClosed(session.process(), fd));
      EventFile file = new EventFile(kind, pipe, fd, eventBytes, descriptors);
      int unused = session.handles().add(file, room);
      return file;
    } catch (IOException | RuntimeException e) {
      pipe.close();
      room.close();
      descriptors.close();
      throw e;
    }
  }

  // As in ib_uverbs: files fail once the device is gone; the asynchronous one reports an event
  // first.
  private static byte[] last(Kind kind) {
    return kind == Kind.ASYNC ? async(0, AsyncEvents.DEVICE_FATAL) : new byte[0];
  }

  /**
   * Whether the client has closed the file at all of its descriptors. Only checked if there is a
   * sign of it: the number is free, or the client has another number for the file, of which nothing
   * says when it becomes free.
   *
   * @param free a number that was free
   */
  private boolean isClosed(WatchedProcess process, int free) {
    if (seenAt == fd && fd != free || process.isOpen(seenAt, key)) {
      return false;
    }
    try {
      OptionalInt found = process.descriptorOf(key);
      seenAt = found.orElse(seenAt);
      return found.isEmpty();
    } catch (IOException unknown) {
      return false;
    }
  }

  /** Finds a file by its kind and any of its descriptors in the client. */
  public static EventFile find(Session session, Kind kind, int fd) {
    Object key;
    try (HeldFile held = session.process().hold(fd)) {
      key = held.key();
    } catch (IOException noDescriptor) {
      throw notAFile(kind, fd);
    }
    return all(session, kind)
        .filter(file -> file.key.equals(key))
        .findFirst()
        .orElseThrow(() -> notAFile(kind, fd));
  }

  private static Refusal notAFile(Kind kind, int fd) {
    return new Refusal(Errno.EBADF, "descriptor %d is not a file for %s".formatted(fd, kind));
  }

  /** The files of a kind, in the order in which they were opened. */
  static Stream<EventFile> all(Session session, Kind kind) {
    return session.handles().all(EventFile.class).stream().filter(file -> file.kind == kind);
  }

  public int eventBytes() {
    return eventBytes;
  }

  /**
   * Routes an event type of an object to this file until the file is closed or {@link
   * #unsubscribe(Session, HcaObject)} ends it; does nothing if it is routed already with this
   * cookie.
   *
   * @param object null for events of the device
   * @param event the bytes that the client reads, by the syndrome; empty for a syndrome that is not
   *     reported
   */
  public void subscribe(
      Session session,
      @Nullable HcaObject object,
      int type,
      long cookie,
      IntFunction<byte[]> event) {
    subscriptions.computeIfAbsent(
        new Subscription(object, type, cookie),
        any -> session.events().route(object, type, pipe, event));
  }

  /** Ends all subscriptions by DevX to events of an object, which is destroyed. */
  public static void unsubscribe(Session session, HcaObject object) {
    all(session, Kind.DEVX_EVENTS).forEach(file -> file.unsubscribe(object));
  }

  private void unsubscribe(HcaObject object) {
    subscriptions
        .entrySet()
        .removeIf(
            entry -> {
              if (!object.equals(entry.getKey().object())) {
                return false;
              }
              entry.getValue().drop();
              return true;
            });
  }

  /** The number of the client's first descriptor. */
  public int fd() {
    return fd;
  }

  public EventPipe pipe() {
    return pipe;
  }

  public static byte[] completion(long userHandle) {
    return View.of(CompEventDesc.STRUCTURE).set(CompEventDesc.CQ_HANDLE, userHandle).bytes();
  }

  public static byte[] async(long element, int type) {
    return View.of(AsyncEventDesc.STRUCTURE)
        .set(AsyncEventDesc.ELEMENT, element)
        .set(AsyncEventDesc.EVENT_TYPE, type)
        .bytes();
  }

  @Override
  public int rank() {
    return 9;
  }

  @Override
  public void destroy(boolean alive) {
    subscriptions.values().forEach(EventRouter.Route::drop);
    pipe.close();
    descriptors.close();
  }
}
