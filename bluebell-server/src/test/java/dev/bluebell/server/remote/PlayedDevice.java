package dev.bluebell.server.remote;

import dev.bluebell.server.LocalSocket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

/** A device process that a test plays, and its only client. */
final class PlayedDevice implements AutoCloseable {
  private final Function<Message, Optional<Message>> answers;
  private final LocalSocket listener;
  private final Thread thread;
  private final SocketHca client;

  /**
   * @param answers to the requests after the greeting, in which no descriptor is sent; the process
   *     ends at the first that has none
   */
  PlayedDevice(Path folder, Function<Message, Optional<Message>> answers) throws IOException {
    this.answers = answers;
    Path socket = folder.resolve("device.sock");
    listener = LocalSocket.listen(socket);
    thread = Thread.ofPlatform().start(this::serve);
    client = new SocketHca(socket);
  }

  SocketHca client() {
    return client;
  }

  private void serve() {
    try (LocalSocket connection = listener.accept();
        Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(Message.MAX_BYTES);
      int bytes = connection.next(memory);
      Optional<Message> answer = Optional.of(Message.done().put(1).put(0).put("").put("").put(0));
      while (bytes > 0 && answer.isPresent()) {
        answer.get().send(connection, memory, -1);
        bytes = connection.next(memory);
        answer = bytes > 0 ? answers.apply(Message.received(memory, bytes)) : Optional.empty();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws InterruptedException {
    client.close();
    thread.join();
    listener.close();
  }
}
