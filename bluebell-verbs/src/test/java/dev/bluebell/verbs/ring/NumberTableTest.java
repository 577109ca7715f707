package dev.bluebell.verbs.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Compares the table with a map. */
class NumberTableTest {
  @Test
  void theTableAgreesWithAMapAfterAnyChanges() {
    for (long seed = 1; seed <= 20; seed++) {
      Random random = new Random(seed);
      NumberTable<String> table = new NumberTable<>();
      Map<Integer, String> map = new HashMap<>();
      for (int i = 0; i < 2000; i++) {
        int number = random.nextInt(300) << 8 * random.nextInt(3);
        if (random.nextInt(3) > 0) {
          table.put(number, "value " + i);
          map.put(number, "value " + i);
        } else {
          table.remove(number, table.get(number));
          map.remove(number);
        }
        assertThat(table.get(number)).as("seed %d step %d", seed, i).isEqualTo(map.get(number));
      }
      for (int number = 0; number < 300; number++) {
        for (int shift = 0; shift < 24; shift += 8) {
          assertThat(table.get(number << shift)).isEqualTo(map.get(number << shift));
        }
      }
    }
  }

  @Test
  void aNumberThatComesAndGoesTakesOnePlace() {
    NumberTable<String> table = new NumberTable<>();
    for (int i = 0; i < 1_000_000; i++) {
      table.put(i & 7, "value");
      table.remove(i & 7, "value");
    }
    assertThat(table.get(3)).isNull();
  }

  @Test
  void anObjectWhoseNumberWasGivenAgainIsRemovedAlone() {
    NumberTable<String> table = new NumberTable<>();
    table.put(5, "closed");
    table.put(5, "open");
    table.remove(5, "closed");
    assertThat(table.get(5)).isEqualTo("open");
  }
}
