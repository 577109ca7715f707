package dev.bluebell.connect.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.bluebell.connect.Offer;
import dev.bluebell.verbs.RemoteMemory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Offers as private data of messages. */
class PrivateDataTest {
  private static final RemoteMemory MEMORY = new RemoteMemory(0x1122_3344_5566_7788L, 0x99, 4096);

  @Test
  void anOfferWithoutMemoryIsSentAsItsPrivateData() {
    byte[] bytes = {1, 2, 3};
    assertThat(PrivateData.of(new Offer(bytes, List.of()), 56)).isEqualTo(bytes);
    byte[] arrived = Arrays.copyOf(bytes, 56);
    assertThat(PrivateData.offer(arrived)).isEqualTo(new Offer(arrived, List.of()));
  }

  @Test
  void anOfferWithMemoryFillsItsMessage() {
    for (int pieces = 1; pieces <= 7; pieces++) {
      Offer offer = new Offer(new byte[] {1, 0}, Collections.nCopies(pieces, MEMORY));
      byte[] bytes = PrivateData.of(offer, 196);
      assertThat(bytes).hasSize(196).startsWith(1, 0);
      assertThat(PrivateData.offer(bytes)).isEqualTo(offer);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> PrivateData.of(new Offer(new byte[0], Collections.nCopies(8, MEMORY)), 196))
        .withMessage(
            "0 private bytes and 8 pieces of memory take 198 bytes, and a message of RDMA CM has"
                + " room for 196 here");
  }

  @Test
  void anyBytesAreReadAsAnOffer() {
    Random random = new Random(1);
    byte[] whole = PrivateData.of(new Offer(new byte[30], List.of(MEMORY)), 196);
    for (int i = 0; i < 100_000; i++) {
      byte[] bytes = whole.clone();
      for (int changes = random.nextInt(4); changes >= 0; changes--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      byte[] cut = Arrays.copyOfRange(bytes, random.nextInt(bytes.length), bytes.length);
      assertThat(PrivateData.offer(cut).privateData().length).isLessThanOrEqualTo(cut.length);
      assertThat(PrivateData.offer(bytes).memory().size()).isLessThanOrEqualTo(7);
    }
  }

  @Test
  void anUnknownVersionOfMemoryIsPrivateData() {
    byte[] bytes = PrivateData.of(Offer.of(MEMORY), 56);
    int version = 56 - 6 - RemoteMemory.BYTES;
    ByteBuffer.wrap(bytes).putInt(version, 77);
    assertThat(PrivateData.offer(bytes)).isEqualTo(new Offer(bytes, List.of()));
  }

  @Test
  void onlyARejectionWithTheWholeMarkIsForNow() {
    byte[] mark = PrivateData.notNow();
    byte[] received = Arrays.copyOf(mark, 148);
    assertThat(PrivateData.isNotNow(received)).isTrue();
    received[147] = 1;
    assertThat(PrivateData.isNotNow(received)).isFalse();
    assertThat(PrivateData.isNotNow(Arrays.copyOf(mark, mark.length - 1))).isFalse();
    assertThat(PrivateData.isNotNow(new byte[148])).isFalse();
    assertThat(PrivateData.isNotNow(new byte[0])).isFalse();
  }
}
