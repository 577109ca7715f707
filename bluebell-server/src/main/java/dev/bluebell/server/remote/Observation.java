package dev.bluebell.server.remote;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaHappening;
import dev.bluebell.server.LocalSocket;
import dev.bluebell.server.remote.Message.Reply;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * The observer's end of a connection to a device process: receives explanations about the clients
 * that present its token. A dedicated thread reads. {@link #end} and {@link #close} belong to one
 * thread.
 */
public final class Observation implements AutoCloseable {
  private final LocalSocket socket;
  private final Consumer<Explanation> listener;
  private final MemorySegment in = Arena.ofAuto().allocate(Message.MAX_BYTES);
  private final MemorySegment out = Arena.ofAuto().allocate(Message.MAX_BYTES);
  private final long token;
  private final Thread reader;
  private List<HcaHappening> record = List.of();
  private List<String> left = List.of();
  private volatile boolean closing;

  private Observation(LocalSocket socket, boolean traces, Consumer<Explanation> listener)
      throws IOException {
    this.socket = socket;
    this.listener = listener;
    Message.observe(traces).send(socket, out, -1);
    Message greeted = receive();
    try {
      Connection.checkDone(greeted.takeKind(Reply.class), greeted);
    } catch (HcaException | IllegalArgumentException | Message.Malformed e) {
      throw new IOException("the device process refuses an observer: " + e.getMessage(), e);
    }
    token = greeted.takeLong();
    reader = Thread.ofPlatform().daemon().name("bluebell-observation").start(this::read);
  }

  /**
   * Starts to observe.
   *
   * @param path of the device process's socket
   * @param traces whether to record also complete WQEs and CQEs, and deliveries
   * @param listener receives each explanation, on another thread
   */
  public static Observation open(Path path, boolean traces, Consumer<Explanation> listener)
      throws IOException {
    LocalSocket socket = LocalSocket.connect(path);
    try {
      return new Observation(socket, traces, listener);
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  /** The positive number that clients present to be observed. */
  public long token() {
    return token;
  }

  private Message receive() throws IOException {
    LocalSocket.Received received = socket.receive(in);
    if (received.bytes() == 0) {
      throw new IOException("the device process has ended");
    }
    return Message.received(in, received.bytes());
  }

  private void read() {
    try {
      ByteArrayOutputStream parts = new ByteArrayOutputStream();
      while (true) {
        Message message = receive();
        switch (message.takeKind(Reply.class)) {
          case EVENT -> listener.accept(Explanation.take(message));
          case PART -> parts.writeBytes(message.takeRest());
          default -> {
            parts.writeBytes(message.takeRest());
            Message whole = Message.over(parts.toByteArray());
            record = whole.takeHappenings();
            left = whole.takeLines();
            return;
          }
        }
      }
    } catch (IOException | Message.Malformed e) {
      if (!closing) {
        listener.accept(new Explanation(0, "", String.valueOf(e.getMessage())));
      }
    }
  }

  /**
   * Receives the remaining explanations, and requests the flight record of the clients.
   *
   * @return the device's flight record of their objects, oldest first; empty when the device
   *     process has ended
   */
  public List<HcaHappening> end() throws InterruptedException {
    if (reader.isAlive()) {
      try {
        Message.of(Message.Request.FLIGHT_RECORD).send(socket, out, -1);
      } catch (IOException e) {
        socket.shutdown();
      }
    }
    reader.join();
    return record;
  }

  /**
   * What the device said, at the end of each client, about the queues that it had not destroyed.
   * Call it after {@link #end}.
   */
  public List<String> left() {
    return left;
  }

  /**
   * Asks a device process what it says about the queues of its clients.
   *
   * @param path of its socket
   * @return a line for each queue, after a line that names its process
   */
  public static List<String> queues(Path path) throws IOException {
    try (LocalSocket socket = LocalSocket.connect(path);
        Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(Message.MAX_BYTES);
      Message.list().send(socket, memory, -1);
      ByteArrayOutputStream parts = new ByteArrayOutputStream();
      while (true) {
        LocalSocket.Received received = socket.receive(memory);
        if (received.bytes() == 0) {
          throw new IOException("the device process has ended");
        }
        Message message = Message.received(memory, received.bytes());
        Reply kind = message.takeKind(Reply.class);
        if (kind != Reply.PART) {
          Connection.checkDone(kind, message);
        }
        parts.writeBytes(message.takeRest());
        if (kind != Reply.PART) {
          return Message.over(parts.toByteArray()).takeLines();
        }
      }
    } catch (HcaException | IllegalArgumentException | Message.Malformed e) {
      throw new IOException("the device process refuses to list its queues: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() throws InterruptedException {
    closing = true;
    socket.shutdown();
    reader.join();
    socket.close();
  }
}
