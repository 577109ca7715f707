package dev.bluebell.server.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.bluebell.server.LocalSocket;
import dev.bluebell.server.remote.Message.Reply;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that are longer than a message of the socket. */
class LongMessagesTest {
  /** Bytes in front of the payload of an answer: its kind, and the count. */
  private static final int HEAD_BYTES = 2 * Integer.BYTES;

  @TempDir private Path folder;
  private LocalSocket listener;
  private LocalSocket near;
  private LocalSocket far;

  @BeforeEach
  void open() throws IOException {
    Path path = folder.resolve("socket");
    listener = LocalSocket.listen(path);
    near = LocalSocket.connect(path);
    far = listener.accept();
  }

  @AfterEach
  void close() {
    near.close();
    far.close();
    listener.close();
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        0,
        Message.MAX_BYTES - HEAD_BYTES,
        Message.MAX_BYTES - HEAD_BYTES + 1,
        2 * Message.MAX_BYTES - HEAD_BYTES - Integer.BYTES,
        2 * Message.MAX_BYTES - HEAD_BYTES - Integer.BYTES + 1,
        1_000_000
      })
  void anAnswerArrivesWholeInAsFewPartsAsPossible(int count) throws Exception {
    byte[] value = new byte[count];
    new Random(count).nextBytes(value);
    Thread sending = Thread.ofPlatform().start(() -> answer(value));
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(Message.MAX_BYTES);
      Reply kind = Reply.PART;
      while (kind == Reply.PART) {
        int bytes = near.next(memory);
        Message part = Message.received(memory, bytes);
        kind = part.takeKind(Reply.class);
        if (kind == Reply.PART) {
          assertThat(bytes).isEqualTo(Message.MAX_BYTES);
        }
        whole.writeBytes(part.takeRest());
      }
      assertThat(kind).isEqualTo(Reply.DONE);
    }
    sending.join();
    Message answer = Message.over(whole.toByteArray());
    assertThat(answer.takeBytes()).isEqualTo(value);
    assertThat(answer.takeRest()).isEmpty();
  }

  private void answer(byte[] value) {
    try (Arena arena = Arena.ofConfined()) {
      Message.done().put(value).sendInParts(far, arena.allocate(Message.MAX_BYTES));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aRequestThatIsTooLongIsNotSent() {
    Message request = Message.of(Message.Request.EXECUTE).put(new byte[Message.MAX_BYTES]);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(Message.MAX_BYTES);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> request.send(near, out, -1))
          .withMessageContaining("at most 65536 bytes, and this one has 65544");
    }
  }
}
