package dev.bluebell.verbs.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

/** Each request is released individually, once, and in any order. */
class UnorderedRequestsTest {
  private static final int SLOTS = 8;
  private final UnorderedRequests requests = new UnorderedRequests(SLOTS, 0);

  private void add(int from, int count) {
    for (int i = from; i < from + count; i++) {
      requests.add(i, 1, 100 + i);
    }
  }

  @Test
  void aRequestIsReleasedOnce() {
    add(0, 3);
    assertThat(requests.isOutstanding(1)).isTrue();
    assertThat(requests.id(1)).isEqualTo(101);
    assertThat(requests.release(1)).isTrue();
    assertThat(requests.isOutstanding(1)).isFalse();
    assertThat(requests.release(1)).isFalse();
  }

  @Test
  void requestsThatWereNeverAddedAreNotReleased() {
    add(0, 1);
    assertThat(requests.release(1)).isFalse();
    assertThat(requests.release(SLOTS)).as("the same slot, another index").isFalse();
    assertThat(requests.release(0)).isTrue();
  }

  @Test
  void aReleaseDoesNotReleaseEarlierRequests() {
    add(0, SLOTS);
    assertThat(requests.release(5)).isTrue();
    assertThat(requests.isOutstanding(4)).isTrue();
    assertThat(requests.exactFree(SLOTS)).isZero();
  }

  @Test
  void onlyContiguousSlotsFromTheNextAreFree() {
    add(0, SLOTS);
    requests.release(2);
    requests.release(0);
    assertThat(requests.exactFree(SLOTS)).isEqualTo(1);
    requests.release(1);
    assertThat(requests.exactFree(SLOTS)).isEqualTo(3);
  }

  @Test
  void theCountMayBeStaleUntilItIsTakenExactly() {
    add(0, SLOTS);
    requests.release(0);
    assertThat(requests.free(SLOTS)).isZero();
    assertThat(requests.exactFree(SLOTS)).isEqualTo(1);
    assertThat(requests.free(SLOTS)).isEqualTo(1);
  }

  @Test
  void aRequestOfSeveralSlotsIsFreeAsAWhole() {
    requests.add(0, 3, 7);
    requests.add(3, 5, 8);
    assertThat(requests.isOutstanding(1)).as("inside of the first").isFalse();
    requests.release(0);
    assertThat(requests.exactFree(SLOTS)).isEqualTo(3);
  }

  @Test
  void indicesWrapAtSixteenBits() {
    UnorderedRequests late = new UnorderedRequests(SLOTS, 0xfffe);
    late.add(0xfffe, 1, 1);
    late.add(0xffff, 1, 2);
    late.add(0x10000, 1, 3);
    assertThat(late.free(0x10001)).isEqualTo(SLOTS - 3);
    assertThat(late.release(0)).isTrue();
    assertThat(late.release(0xffff)).isTrue();
    assertThat(late.exactFree(0x10001)).isEqualTo(SLOTS - 3);
    assertThat(late.release(0xfffe)).isTrue();
    assertThat(late.exactFree(0x10001)).isEqualTo(SLOTS);
  }

  @Test
  void fillIsFreeWhenTheRequestBehindItIs() {
    add(0, 5);
    for (int i = 0; i < 5; i++) {
      requests.release(i);
    }
    requests.addFill(5, 3);
    assertThat(requests.isFill(5)).isTrue();
    assertThat(requests.exactFree(8)).as("the device may still have to read the fill").isEqualTo(5);
    requests.add(8, 2, 9);
    assertThat(requests.exactFree(10)).isEqualTo(3);
    requests.release(8);
    assertThat(requests.exactFree(10)).isEqualTo(SLOTS);
  }

  @Test
  void fillThatFailedIsFreeByItself() {
    requests.addFill(0, 3);
    assertThat(requests.release(0)).isTrue();
    assertThat(requests.exactFree(3)).isEqualTo(SLOTS);
  }

  @Test
  void aResetForgetsAll() {
    add(0, SLOTS);
    requests.reset(3);
    assertThat(requests.release(0)).isFalse();
    assertThat(requests.exactFree(3)).isEqualTo(SLOTS);
  }

  @Test
  void aNumberOfSlotsThatIsNoPowerOfTwoIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new UnorderedRequests(12, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> new UnorderedRequests(65536, 0));
  }
}
