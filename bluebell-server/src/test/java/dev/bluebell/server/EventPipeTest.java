package dev.bluebell.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The queue of events that a client reads. */
class EventPipeTest {
  private static final int EPIPE = 32;

  // With a message, it could send descriptors, whose last close may wait.
  @Test
  void theReaderCanSendNothing() throws IOException {
    try (EventPipe pipe = new EventPipe(8, Quotas.of(Map.of()).open(1));
        Arena arena = Arena.ofConfined()) {
      assertThat(Libc.send(pipe.readerFd(), arena.allocate(1))).isEqualTo(-EPIPE);
      assertThat(pipe.write(new byte[8])).isTrue();
      assertThat(Libc.recv(pipe.readerFd(), arena.allocate(8), 0)).isEqualTo(8);
    }
  }
}
