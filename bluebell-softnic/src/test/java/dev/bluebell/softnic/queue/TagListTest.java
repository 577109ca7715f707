package dev.bluebell.softnic.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The list of tags, by itself. */
class TagListTest {
  private static final int LOG_SIZE = 3;

  private final TagList list = new TagList(LOG_SIZE, 0);

  private void append(long tag, long mask, int following) {
    list.append(tag, mask, 0, 0, following);
  }

  @Test
  void theEarliestAppendedEntryMatchesFirst() {
    append(1, -1, 5);
    append(2, -1, 3);
    append(1, -1, 1);
    assertThat(list.match(1)).isZero();
    assertThat(list.remove(0)).isTrue();
    assertThat(list.match(1)).isEqualTo(3);
    assertThat(list.match(2)).isEqualTo(5);
    assertThat(list.match(3)).isEqualTo(TagList.NONE);
    assertThat(list.length()).isEqualTo(2);
    assertThat(list.appendIndex()).isEqualTo(1);
  }

  @Test
  void onlyMaskedBitsAreCompared() {
    append(0xff12, 0x00ff, 1);
    assertThat(list.match(0x5512)).isZero();
    assertThat(list.match(0xff13)).isEqualTo(TagList.NONE);
  }

  @Test
  void anEntryAppendedWhileTheCountsDifferDoesNotMatchYet() {
    append(1, -1, 1);
    list.countUnexpected();
    append(2, -1, 2);
    append(3, -1, 3);
    assertThat(list.match(1)).isZero();
    assertThat(list.match(2)).isEqualTo(TagList.NONE);
    list.countUnexpected();
    list.synchronize(1);
    assertThat(list.match(2)).isEqualTo(TagList.NONE);
    assertThat(list.remove(1)).isTrue();
    assertThat(list.match(3)).isEqualTo(TagList.NONE);
    list.synchronize(2);
    assertThat(list.match(3)).isEqualTo(2);
  }

  @Test
  void anEntryIsRemovedOnceAndMayBeAppendedAgain() {
    append(1, -1, 0);
    assertThat(list.contains(0)).isTrue();
    assertThat(list.remove(0)).isTrue();
    assertThat(list.remove(0)).isFalse();
    assertThat(list.remove(8)).isFalse();
    assertThat(list.remove(0xffff)).isFalse();
    append(2, -1, 1);
    assertThat(list.match(2)).isZero();
  }

  @Test
  void anEntryAppendedTwiceIsReplacedAndMatchesLast() {
    append(1, -1, 1);
    append(2, -1, 0);
    list.append(2, -1, 7, 8, 2);
    assertThat(list.length()).isEqualTo(2);
    assertThat(list.match(1)).isEqualTo(TagList.NONE);
    assertThat(list.match(2)).isEqualTo(1);
    assertThat(list.remove(1)).isTrue();
    assertThat(list.match(2)).isZero();
    assertThat(list.count(0)).isEqualTo(7);
    assertThat(list.remove(0)).isTrue();
    assertThat(list.length()).isZero();
  }

  @Test
  void theCountsHave16Bits() {
    for (int i = 0; i < 0x10001; i++) {
      list.countUnexpected();
    }
    assertThat(list.unexpected()).isEqualTo(1);
    list.synchronize(0x10001);
    assertThat(list.handled()).isEqualTo(1);
  }

  /** An entry of the model. */
  private record Entry(int index, long tag, long mask, boolean waits) {}

  @Test
  void randomChangesMatchAModel() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    List<Entry> model = new ArrayList<>();
    Deque<Integer> free = new ArrayDeque<>(List.of(1, 2, 3, 4, 5, 6, 7));
    int next = 0;
    for (int step = 0; step < 20_000; step++) {
      long tag = random.nextInt(8);
      switch (random.nextInt(4)) {
        case 0 -> {
          boolean again = random.nextInt(8) == 0;
          if (again || !free.isEmpty()) {
            // If software names the entry itself as the next, the next append replaces it.
            int following = again ? next : free.removeFirst();
            long mask = random.nextInt(8);
            boolean waits = list.unexpected() != list.handled();
            int entry = next;
            model.removeIf(other -> other.index == entry);
            append(tag, mask, following);
            model.add(new Entry(entry, tag, mask, waits));
            next = following;
          }
        }
        case 1 -> {
          int index = random.nextInt(8);
          boolean there = model.removeIf(entry -> entry.index == index);
          assertThat(list.remove(index)).as("seed %d step %d", seed, step).isEqualTo(there);
          if (there && index != next) {
            free.addLast(index);
          }
        }
        case 2 -> {
          int expected =
              model.stream()
                  .filter(entry -> !entry.waits && ((tag ^ entry.tag) & entry.mask) == 0)
                  .mapToInt(Entry::index)
                  .findFirst()
                  .orElse(TagList.NONE);
          assertThat(list.match(tag)).as("seed %d step %d", seed, step).isEqualTo(expected);
          if (expected == TagList.NONE) {
            list.countUnexpected();
          } else {
            list.remove(expected);
            model.removeIf(entry -> entry.index == expected);
            if (expected != next) {
              free.addLast(expected);
            }
          }
        }
        default -> {
          int count = list.unexpected() - random.nextInt(2);
          list.synchronize(count);
          if ((count & 0xffff) == list.unexpected()) {
            model.replaceAll(e -> new Entry(e.index, e.tag, e.mask, false));
          }
        }
      }
      assertThat(list.length()).isEqualTo(model.size());
    }
  }
}
