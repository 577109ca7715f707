package dev.bluebell.server.remote;

import dev.bluebell.hca.DeviceLostException;
import dev.bluebell.hca.HcaException;
import dev.bluebell.server.LocalSocket;
import dev.bluebell.server.Processes;
import dev.bluebell.server.Threads;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection to a device process: one request at a time, and events at any time. A
 * dedicated thread reads, so the end of the device process is noticed at once. Thread-safe.
 */
final class Connection {
  private static final int MAX_ANSWER_BYTES = 1 << 28;

  private final Path path;
  private final LocalSocket socket;
  private final ClientChannels channels;
  private final Thread reader;
  private final ReentrantLock calls = new ReentrantLock(true);
  private final MemorySegment out = Arena.ofAuto().allocate(Message.MAX_BYTES);
  private final MemorySegment in = Arena.ofAuto().allocate(Message.MAX_BYTES);
  private @Nullable Answer answer;
  private boolean over;
  private boolean closing;

  /** True once the device process has ended before the client closed; read by pollers. */
  private volatile boolean lost;

  /**
   * The answer to a request.
   *
   * @param descriptor the receiver closes it; -1 for none
   */
  record Answer(Message.Reply kind, Message message, int descriptor) {}

  private Connection(Path path, LocalSocket socket, ClientChannels channels) {
    this.path = path;
    this.socket = socket;
    this.channels = channels;
    reader = Thread.ofPlatform().daemon().name("bluebell-socket").unstarted(this::read);
  }

  static Connection open(Path path, ClientChannels channels) {
    try {
      LocalSocket socket = LocalSocket.connect(path);
      Connection connection = new Connection(path, socket, channels);
      connection.reader.start();
      Processes.admitDeviceProcesses();
      return connection;
    } catch (IOException e) {
      throw failure(
          "no device process listens at the socket %s (%s); start one with 'bluebell serve --socket %s'"
              .formatted(path, e.getMessage(), path));
    }
  }

  /** An error of the connection, not of the device. */
  static HcaException failure(String sentence) {
    return new HcaException(sentence);
  }

  /** The same, for an exception whose message says what to do. */
  static HcaException failure(IOException cause) {
    return new HcaException(String.valueOf(cause.getMessage()), cause);
  }

  DeviceLostException lost() {
    return new DeviceLostException(
        "the device process at the socket %s has ended; start it again with 'bluebell serve --socket %s' and open the device again"
            .formatted(path, path));
  }

  boolean isLost() {
    return lost;
  }

  /** True once the connection closes: the device process then frees all objects of this client. */
  synchronized boolean isOver() {
    return over || closing;
  }

  /**
   * Makes a request and waits for its result.
   *
   * @throws HcaException when the device refuses, or its process has ended
   */
  Message call(Message request) {
    return callForMemory(request).message();
  }

  /** Makes a request without a result, as {@link #call}. */
  void request(Message request) {
    Message unused = call(request);
  }

  /** Makes a request that frees something; it has no effect if the connection closes or ends. */
  void free(Message request) {
    try {
      request(request);
    } catch (HcaException | IllegalStateException e) {
      if (!isOver()) {
        throw e;
      }
    }
  }

  /** Makes a request whose result may come with a descriptor of shared memory, as {@link #call}. */
  Answer callForMemory(Message request) {
    calls.lock();
    try {
      send(request);
      Answer given = awaitAnswer();
      checkDone(given.kind(), given.message());
      return given;
    } finally {
      calls.unlock();
    }
  }

  private void send(Message request) {
    synchronized (this) {
      requireOpen();
      answer = null;
    }
    try {
      request.send(socket, out, -1);
    } catch (IOException e) {
      // The reader notices the end and wakes all callers, including this one.
      socket.shutdown();
    }
  }

  private void requireOpen() {
    if (closing) {
      throw new IllegalStateException(
          "device %s%s is closed".formatted(SocketProvider.PREFIX, path));
    }
    if (over) {
      throw lost();
    }
  }

  private synchronized Answer awaitAnswer() {
    Threads.await(() -> answer == null && !over, this::wait);
    if (answer == null) {
      throw lost();
    }
    return answer;
  }

  /** Throws the exception that an answer describes, unless it is a result. */
  static void checkDone(Message.Reply kind, Message message) {
    switch (kind) {
      case DONE -> {}
      case REFUSED -> {
        byte[] output = message.takeBytes();
        throw new HcaException(message.takeString(), output);
      }
      case ILLEGAL -> throw new IllegalArgumentException(message.takeString());
      case PART, EVENT ->
          throw new Message.Malformed("a message of kind %s answers no request".formatted(kind));
    }
  }

  private void read() {
    try {
      ByteArrayOutputStream parts = new ByteArrayOutputStream();
      while (true) {
        LocalSocket.Received received = socket.receive(in);
        if (received.bytes() == 0) {
          return;
        }
        take(Message.received(in, received.bytes()), received.descriptor(), parts);
      }
    } catch (IOException | Message.Malformed e) {
      System.getLogger("dev.bluebell.server.remote")
          .log(System.Logger.Level.WARNING, "the connection to a device process ended", e);
    } finally {
      end();
    }
  }

  private void take(Message message, int descriptor, ByteArrayOutputStream parts)
      throws IOException {
    Message.Reply kind = message.takeKind(Message.Reply.class);
    switch (kind) {
      case EVENT -> channels.event(message);
      case PART -> {
        parts.write(message.takeRest());
        if (parts.size() > MAX_ANSWER_BYTES) {
          throw new Message.Malformed(
              "an answer has more than %d bytes".formatted(MAX_ANSWER_BYTES));
        }
      }
      default -> {
        parts.write(message.takeRest());
        Message whole = Message.over(parts.toByteArray());
        parts.reset();
        synchronized (this) {
          answer = new Answer(kind, whole, descriptor);
          notifyAll();
        }
      }
    }
  }

  private void end() {
    boolean unexpected;
    synchronized (this) {
      over = true;
      unexpected = !closing;
      lost = unexpected;
      notifyAll();
    }
    channels.over(unexpected);
    // A caller may be about to send: keep the descriptor open until it is done.
    calls.lock();
    try {
      socket.close();
    } finally {
      calls.unlock();
    }
  }

  /** Hangs up, and waits until the device process has freed all objects of this client. */
  void close() {
    synchronized (this) {
      if (closing) {
        return;
      }
      closing = true;
    }
    calls.lock();
    try {
      socket.shutdownOutput();
    } finally {
      calls.unlock();
    }
    Threads.join(reader);
  }
}
