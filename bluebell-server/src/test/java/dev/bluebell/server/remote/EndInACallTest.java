package dev.bluebell.server.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.bluebell.hca.DeviceLostException;
import dev.bluebell.hca.HcaEventChannel;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.server.LocalSocket;
import dev.bluebell.server.remote.Message.Reply;
import dev.bluebell.server.remote.Message.Request;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The device process ends while it executes a request that closes something, or a command. */
class EndInACallTest {
  @TempDir private Path folder;
  private LocalSocket listener;
  private Thread device;
  private SocketHca client;

  @BeforeEach
  void open() throws IOException {
    Path socket = folder.resolve("device.sock");
    listener = LocalSocket.listen(socket);
    device = Thread.ofPlatform().start(this::serve);
    client = new SocketHca(socket);
  }

  @AfterEach
  void close() throws InterruptedException {
    client.close();
    device.join();
    listener.close();
  }

  /** A device process that creates objects, and ends at any other request. */
  private void serve() {
    try (LocalSocket connection = listener.accept();
        Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(Message.MAX_BYTES);
      assertThat(connection.next(memory)).isPositive();
      Message.of(Reply.DONE).put(1).put(0).put("").put("").put(0).send(connection, memory, -1);
      int bytes = connection.next(memory);
      while (bytes > 0
          && Message.received(memory, bytes).takeKind(Request.class) == Request.ALLOCATE_DOMAIN) {
        Message.of(Reply.DONE).put(1).put(1).put(new byte[0]).send(connection, memory, -1);
        bytes = connection.next(memory);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void closingAChannelThenSucceeds() {
    HcaEventChannel channel = client.openEventChannel();
    assertThatCode(channel::close).doesNotThrowAnyException();
  }

  @Test
  void closingAnObjectThenSucceeds() {
    HcaObject domain = client.allocateProtectionDomain();
    assertThatCode(domain::close).doesNotThrowAnyException();
  }

  @Test
  void aCommandThenFails() {
    assertThatExceptionOfType(DeviceLostException.class)
        .isThrownBy(() -> client.execute(new byte[16]))
        .withMessageContaining("start it again");
  }
}
