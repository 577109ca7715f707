package dev.bluebell.server.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.bluebell.hca.HcaException;
import dev.bluebell.server.LocalSocket;
import dev.bluebell.server.ShimProtocol;
import dev.bluebell.server.remote.Message.Request;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A client has no descriptor left, so that the kernel drops those in answers of the device process:
 * the client returns what it can't map.
 */
class NoDescriptorTest {
  private static final int NUMBER = 7;

  @TempDir private Path folder;
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private PlayedDevice device;
  private SocketHca client;

  @BeforeEach
  void open() throws IOException {
    device = new PlayedDevice(folder, request -> Optional.of(answer(request)));
    client = device.client();
  }

  @AfterEach
  void close() throws InterruptedException {
    device.close();
  }

  private Message answer(Message request) {
    Request kind = request.takeKind(Request.class);
    Message done = Message.done();
    if (kind == Request.ALLOCATE_MEMORY || kind == Request.ALLOCATE_UAR) {
      requests.add(kind.toString());
      return done.put(NUMBER).put(1).put(0L);
    }
    requests.add(kind + " " + request.takeInt());
    return done;
  }

  @Test
  void memoryThatCanNotBeMappedIsReturnedAtOnce() {
    assertThatExceptionOfType(HcaException.class)
        .isThrownBy(() -> client.allocate(4096))
        .withMessageContaining("ulimit -n");
    assertThat(requests).containsExactly("ALLOCATE_MEMORY", "FREE_MEMORY 7");
  }

  @Test
  void aUarPageThatCanNotBeMappedIsReturned() {
    assertThatExceptionOfType(HcaException.class)
        .isThrownBy(() -> client.allocateUar())
        .withMessageContaining("ulimit -n");
    assertThat(requests).containsExactly("ALLOCATE_UAR", "DESTROY 7");
  }

  @Test
  void aFileOfTheConnectionManagerThatDoesNotArriveIsNotOpened() throws Exception {
    Path socket = folder.resolve("manager.sock");
    try (LocalSocket managers = LocalSocket.listen(socket)) {
      Thread manager = Thread.ofPlatform().start(() -> openFile(managers));
      assertThatExceptionOfType(HcaException.class)
          .isThrownBy(() -> SocketConnectionManager.open(socket))
          .withMessageContaining("ulimit -n");
      manager.join();
    }
  }

  private static void openFile(LocalSocket managers) {
    try (LocalSocket connection = managers.accept();
        Arena arena = Arena.ofConfined()) {
      MemorySegment words = arena.allocate(ShimProtocol.WORDS * (long) Long.BYTES, Long.BYTES);
      assertThat(connection.next(words)).isEqualTo((int) words.byteSize());
      words.fill((byte) 0);
      connection.send(words);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
