package dev.bluebell.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class MessagesTest {
  private static final List<Block> BLOCKS =
      List.of(new Block(1, 2, 3, 4), new Block(5, Long.MAX_VALUE, 6, 700));
  private static final List<Messages.Place> PLACES =
      List.of(new Messages.Place(-8, 0x1234, 5), new Messages.Place(0, 0, 0));

  private static ByteBuffer locate() {
    ByteBuffer message = ByteBuffer.allocate(Messages.BYTES);
    Messages.putLocate(message, 9, BLOCKS);
    return message.flip();
  }

  private static ByteBuffer located() {
    ByteBuffer message = ByteBuffer.allocate(Messages.BYTES);
    Messages.putLocated(message, 9, PLACES);
    return message.flip();
  }

  @Test
  void writtenMessagesAreReadBack() {
    ByteBuffer question = locate();
    Messages.Header asked = Messages.header(question);
    assertThat(asked).isEqualTo(new Messages.Header(Messages.LOCATE, 9, 2));
    assertThat(Messages.blocks(asked, question)).isEqualTo(BLOCKS);

    ByteBuffer answer = located();
    Messages.Header found = Messages.header(answer);
    assertThat(Messages.places(found, answer)).isEqualTo(PLACES);

    ByteBuffer refusal = ByteBuffer.allocate(Messages.BYTES);
    Messages.putRefusal(refusal, 3);
    assertThat(Messages.header(refusal.flip()).isRefusal()).isTrue();
    assertThat(Messages.header(ByteBuffer.wrap(Messages.release(4))))
        .isEqualTo(new Messages.Header(Messages.RELEASE, 4, 0));
  }

  @Test
  void theLongestMessageHasRoomForAllItsBlocks() {
    ByteBuffer message = ByteBuffer.allocate(Messages.BYTES);
    Messages.putLocate(message, 0, Collections.nCopies(Messages.MAX_BLOCKS, BLOCKS.getFirst()));
    assertThat(Messages.header(message.flip()).count()).isEqualTo(Messages.MAX_BLOCKS);
  }

  @Test
  void truncatedMessagesAreRefused() {
    for (ByteBuffer message : List.of(locate(), located())) {
      for (int length = 0; length < message.limit(); length++) {
        ByteBuffer part = message.slice(0, length);
        assertThatThrownBy(() -> Messages.header(part))
            .isInstanceOf(IllegalArgumentException.class);
      }
    }
  }

  @Test
  void messagesWithChangedBitsAreReadOrRefused() {
    long seed = Long.getLong("bluebell.spark.seed", System.nanoTime());
    System.out.println("MessagesTest: -Dbluebell.spark.seed=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 20_000; round++) {
      ByteBuffer message = round % 2 == 0 ? locate() : located();
      for (int flip = random.nextInt(4); flip >= 0; flip--) {
        int at = random.nextInt(message.limit());
        message.put(at, (byte) (message.get(at) ^ 1 << random.nextInt(8)));
      }
      read(message);
    }
  }

  private static void read(ByteBuffer message) {
    try {
      Messages.Header header = Messages.header(message);
      if (header.type() == Messages.LOCATE) {
        Messages.blocks(header, message)
            .forEach(block -> assertThat(block.endPartition()).isPositive());
      } else if (header.type() == Messages.LOCATED && !header.isRefusal()) {
        Messages.places(header, message)
            .forEach(place -> assertThat(place.length()).isNotNegative());
      }
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageMatching("(?s).+");
    }
  }

  @Test
  void anEndpointIsReadAndOthersAreRefused() {
    Endpoint endpoint = new Endpoint(4711, new byte[Endpoint.TOKEN_BYTES]);
    assertThat(Endpoint.of(endpoint.bytes()).port()).isEqualTo(4711);
    assertThatThrownBy(() -> Endpoint.of(ByteBuffer.allocate(24)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Endpoint.of(ByteBuffer.allocate(3)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
