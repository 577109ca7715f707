package dev.bluebell.uverbs;

import dev.bluebell.server.EventPipe;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A completion channel or the asynchronous events of a context: a descriptor that the program
 * reads. Mirrors {@code ib_user_verbs.h: ib_uverbs_comp_event_desc, ib_uverbs_async_event_desc}.
 */
final class EventFile implements Handles.Held {
  static final int COMPLETION_BYTES = 8;
  static final int ASYNC_BYTES = 16;

  private final EventPipe pipe;
  private final int fd;
  private final int eventBytes;
  private final boolean ofDevx;
  private final List<EventRouter.Route> routes = new ArrayList<>();

  private EventFile(EventPipe pipe, int fd, int eventBytes, boolean ofDevx) {
    this.pipe = pipe;
    this.fd = fd;
    this.eventBytes = eventBytes;
    this.ofDevx = ofDevx;
  }

  /**
   * Makes one and gives it to the program.
   *
   * @param eventBytes size of one event
   */
  static EventFile open(Session session, int eventBytes) throws IOException {
    return open(session, eventBytes, false);
  }

  /** As {@link #open}, for events that DevX subscribes. */
  static EventFile openForDevx(Session session, int eventBytes) throws IOException {
    return open(session, eventBytes, true);
  }

  private static EventFile open(Session session, int eventBytes, boolean ofDevx)
      throws IOException {
    EventPipe pipe = new EventPipe(eventBytes);
    try {
      int fd = session.shim().install(pipe.readerFd());
      // What had the number before was closed by the program, or it would not be free.
      session.handles().forget(EventFile.class, file -> file.fd == fd);
      EventFile file = new EventFile(pipe, fd, eventBytes, ofDevx);
      int unused = session.handles().add(file);
      assert unused > 0;
      return file;
    } catch (IOException | RuntimeException e) {
      pipe.close();
      throw e;
    }
  }

  /** The one with a descriptor number of the program. */
  static EventFile find(Session session, int fd) {
    return session.handles().all(EventFile.class).stream()
        .filter(file -> file.fd == fd)
        .findFirst()
        .orElseThrow(
            () -> new Refusal(Errno.EBADF, "descriptor %d is no event file".formatted(fd)));
  }

  boolean isAsync() {
    return !ofDevx && eventBytes == ASYNC_BYTES;
  }

  boolean isOfDevx() {
    return ofDevx;
  }

  int eventBytes() {
    return eventBytes;
  }

  /** Keeps a route as long as the file exists. */
  void keep(EventRouter.Route route) {
    routes.add(route);
  }

  int fd() {
    return fd;
  }

  EventPipe pipe() {
    return pipe;
  }

  static byte[] completion(long userHandle) {
    return Fields.of(COMPLETION_BYTES).u64(0, userHandle).bytes();
  }

  static byte[] async(long element, int type) {
    return Fields.of(ASYNC_BYTES).u64(0, element).u32(8, type).bytes();
  }

  @Override
  public int rank() {
    return 9;
  }

  @Override
  public void destroy(boolean alive) {
    routes.forEach(EventRouter.Route::end);
    pipe.close();
  }
}
