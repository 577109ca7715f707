package dev.bluebell.server;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.SocketException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Both ends of a connection. */
class LocalSocketTest {
  @TempDir private Path folder;

  @Test
  void nothingArrivesAtASocketThatDiscards() throws IOException {
    Path path = folder.resolve("socket");
    try (Arena arena = Arena.ofConfined();
        LocalSocket listener = LocalSocket.listen(path);
        LocalSocket client = LocalSocket.connect(path);
        LocalSocket server = listener.accept()) {
      MemorySegment message = arena.allocateFrom(JAVA_BYTE, (byte) 7);
      for (int i = 0; i < 3; i++) {
        client.send(message);
      }
      assertThat(server.discard()).isTrue();
      assertThatThrownBy(() -> client.send(message)).isInstanceOf(SocketException.class);
      server.send(message);
      server.close();
      assertThat(client.receive(message).bytes()).isEqualTo(1);
      assertThat(client.receive(message).bytes()).isZero();
    }
  }

  @Test
  void aClosedSocketDoesNotSendToTheConnectionThatGetsItsDescriptor() throws IOException {
    Path path = folder.resolve("socket");
    try (Arena arena = Arena.ofConfined();
        LocalSocket listener = LocalSocket.listen(path);
        LocalSocket client = LocalSocket.connect(path);
        LocalSocket closed = listener.accept()) {
      MemorySegment message = arena.allocateFrom(JAVA_BYTE, (byte) 7);
      closed.close();
      assertThat(client.receive(message).bytes()).isZero();
      // The kernel gives the lowest free descriptor away first.
      try (LocalSocket stranger = LocalSocket.connect(path)) {
        assertThatThrownBy(() -> closed.send(message))
            .isInstanceOf(SocketException.class)
            .hasMessageContaining("closed");
        stranger.shutdownOutput();
        try (LocalSocket other = listener.accept()) {
          assertThat(other.receive(message).bytes()).isZero();
        }
      }
    }
  }
}
